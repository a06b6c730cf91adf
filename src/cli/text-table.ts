const GAP = '  '
const NARROWEST = 8

/**
 * Lays rows out in columns.
 *
 * @param header Titles of the columns.
 * @param rows The rows.
 * @param options `width`: maximum width of the table, default: unlimited; `shrinks`: the columns that are shortened with an
 * ellipsis to fit, in that order, default: none.
 * @returns Lines without trailing spaces, the header first.
 */
export function textTable(
  header: readonly string[],
  rows: readonly (readonly string[])[],
  options: { readonly width?: number | undefined; readonly shrinks?: readonly number[] } = {},
): readonly string[] {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(...all.map((row) => lengthOf(row[column] ?? ''))))
  let excess =
    widths.reduce((sum, width) => sum + width + GAP.length, -GAP.length) - (options.width ?? Infinity)
  for (const column of options.shrinks ?? []) {
    const width = widths[column] ?? 0
    const cut = Math.max(0, Math.min(excess, width - Math.max(NARROWEST, lengthOf(header[column] ?? ''))))
    widths[column] = width - cut
    excess -= cut
  }
  return all.map((row) =>
    row
      .map((cell, column) => fit(cell, widths[column] ?? 0))
      .join(GAP)
      .trimEnd(),
  )
}

function fit(text: string, width: number): string {
  const characters = Array.from(text)
  if (characters.length > width) return `${characters.slice(0, width - 1).join('')}…`
  return text + ' '.repeat(width - characters.length)
}

function lengthOf(text: string): number {
  return Array.from(text).length
}
