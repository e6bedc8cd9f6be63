#pragma once
#include <stddef.h>
#include <zint.h>

// The matrix of modules is too large an array for Swift's importer.
static inline int billfold_zint_is_dark(const struct zint_symbol *symbol, int row, int column) {
    return (symbol->encoded_data[row][column / 8] >> (column % 8)) & 1;
}
