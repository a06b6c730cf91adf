/**
 * Finds what somebody may have meant by a misspelled name.
 *
 * @param name What was written.
 * @param known What exists.
 * @param most How many letters may differ. Default: a third of them, at least two.
 * @returns The name of which the fewest letters differ; undefined if more than `most` of them do.
 */
export function nearest(
  name: string,
  known: Iterable<string>,
  most: number = Math.max(2, Math.floor(name.length / 3)),
): string | undefined {
  let best: string | undefined
  let least = most + 1
  for (const each of known) {
    const distance = distanceOf(name, each, least)
    if (distance >= least) continue
    least = distance
    best = each
  }
  return best
}

// Letters to insert, remove or replace, two exchanged neighbors counted as one: optimal string alignment.
function distanceOf(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) >= most) return most
  let before: readonly number[] = []
  let above = Array.from({ length: other.length + 1 }, (_, column) => column)
  for (let row = 1; row <= one.length; row++) {
    const line = [row]
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      line.push(
        Math.min(
          (above[column] ?? 0) + 1,
          (line[column - 1] ?? 0) + 1,
          (above[column - 1] ?? 0) + (isSame ? 0 : 1),
          isSwapped ? (before[column - 2] ?? Infinity) + 1 : Infinity,
        ),
      )
    }
    before = above
    above = line
  }
  return above.at(-1) ?? most
}
