// What SQLite takes any number of arguments for, which Swift cannot call.
#pragma once

extern int sqlite3_config(int option, ...);

// From the first connection on, SQLite does not count the memory that it takes and gives back, each piece of it under a lock.
// Does nothing where there has been a connection already.
static inline void billfold_sqlite_counts_no_memory(void) { sqlite3_config(9 /* SQLITE_CONFIG_MEMSTATUS */, 0); }
