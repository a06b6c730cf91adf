const slowness = Math.max(1, Number(process.env['TEST_SLOWNESS']) || 1)

/**
 * A limit of time that a slow or busy machine does not break: a quiet one keeps it as it is.
 *
 * @param milliseconds The limit on a quiet machine.
 * @returns The limit on this one, by the factor that `npm test` measures when it begins; without it, the same.
 */
export function onThisMachine(milliseconds: number): number {
  return milliseconds * slowness
}
