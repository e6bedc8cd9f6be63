// The 3 x 8 cells of a screen: which of them are buttons, and which one lies below the pointer.

const columns = 3;
const rows = 8;

/**
 * The labelled cells as `{x, y, width, only, label, isKey, sum, payee}`, row by row: a row of three that mean the same is one, and one
 * that is alone in its row takes the row, where each place means its column `only`; keys stay apart. `sum` is what a touch pays
 * or reloads, `payee` whom it pays.
 */
export function cellsOf({ grid, passcode, fields, payAmount, payee, reloadAmount }) {
  const hasKeys = passcode !== undefined || fields !== undefined;
  const sums = { Pay: payAmount, Reload: reloadAmount };
  const payees = { Pay: payee };
  const cells = [];
  for (let y = 1; y <= rows; y += 1) {
    const isKey = hasKeys && y > 4;
    const labels = grid[y - 1];
    const [first, ...others] = labels.filter(Boolean);
    const isSame = others.length === columns - 1 && others.every((label) => label === first);
    if (!isKey && first && (isSame || others.length === 0)) {
      const only = isSame ? null : labels.indexOf(first) + 1;
      cells.push({ x: 1, y, width: columns, only, label: first, isKey, sum: sums[first], payee: payees[first] });
      continue;
    }
    labels.forEach((label, index) => {
      if (label) cells.push({ x: index + 1, y, width: 1, only: null, label, isKey });
    });
  }
  return cells;
}

/** The cell at a pointer's place as `{x, y}`; null beside the grid. Rows differ in height where one has a list. */
export function cellAt({ clientX, clientY }, grid) {
  const box = grid.getBoundingClientRect();
  const { gridTemplateColumns, gridTemplateRows } = getComputedStyle(grid);
  const x = trackAt(clientX - box.left, gridTemplateColumns);
  const y = trackAt(clientY - box.top, gridTemplateRows);
  return x && y ? { x, y } : null;
}

/** The number of the track, from 1, that has this offset; 0 where none has. */
function trackAt(offset, tracks) {
  let end = 0;
  return offset < 0 ? 0 : tracks.split(" ").findIndex((track) => offset < (end += parseFloat(track))) + 1;
}

/** The nearest element in a direction `[dx, dy]`; straight on before askew. Null where there is none. */
export function nearest(from, elements, [dx, dy]) {
  const [x, y] = centre(from);
  let best = null;
  let least = Infinity;
  for (const element of elements) {
    const [toX, toY] = centre(element);
    const along = (toX - x) * dx + (toY - y) * dy;
    const across = Math.abs((toX - x) * dy) + Math.abs((toY - y) * dx);
    if (along > 4 && along + 2 * across < least) [best, least] = [element, along + 2 * across];
  }
  return best;
}

function centre(element) {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
}
