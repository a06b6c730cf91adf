// This file and `main.ts` must run with versions of Node that are older than the required one.

const AT_LEAST = /^>=(\d+)\.(\d+)$/

/**
 * Compares the running version of Node with the required one.
 *
 * @param version The running version: `24.15.0`.
 * @param required The required one, as `engines` of a package: `>=24.15`.
 * @returns What is wrong and what to do; null when it is new enough.
 * @throws {TypeError} If the required version has another form.
 */
export function refusalOfNode(version: string, required: string): string | null {
  const [, major, minor] = AT_LEAST.exec(required) ?? []
  if (major === undefined || minor === undefined)
    throw new TypeError(`Cannot compare versions with "${required}": write it as ">=24.15"`)
  const [runningMajor = 0, runningMinor = 0] = version.split('.').map(Number)
  const isOlder =
    runningMajor < Number(major) || (runningMajor === Number(major) && runningMinor < Number(minor))
  return isOlder ? `Node ${version} is too old. Run it with Node ${major}.${minor} or later` : null
}
