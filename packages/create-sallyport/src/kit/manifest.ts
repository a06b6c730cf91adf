/**
 * `package.json`, merged by its keys.
 *
 * @module
 */
import type { Sides } from './git.ts'

type Value = unknown
type Fields = Readonly<Record<string, Value>>

/** One value, as three sides have it; undefined where it is missing. */
interface Values {
  readonly ours: Value
  readonly base: Value
  readonly theirs: Value
}

/**
 * Takes over what the kit changed, except where the project changed the same: that stays. Of two versions of a dependency, the
 * newer one wins.
 *
 * @param sides Three texts of JSON.
 * @returns The merged text.
 * @throws {SyntaxError} If one is not JSON.
 */
export function mergeManifest({ ours, base, theirs }: Sides): Buffer {
  const text = ours.toString()
  const [, indent = '  '] = /^\{\s*\n([ \t]+)/.exec(text) ?? []
  const merged = mergeFields(fieldsOf(JSON.parse(text)), {
    base: JSON.parse(base.toString()),
    theirs: JSON.parse(theirs.toString()),
  })
  return Buffer.from(`${JSON.stringify(merged, null, indent)}\n`)
}

/**
 * @param sides Two texts of `package.json`.
 * @returns Whether other packages must be installed.
 */
export function hasOtherPackages(before: Buffer, after: Buffer): boolean {
  const packages = (text: Buffer): string => {
    const { dependencies, devDependencies } = fieldsOf(JSON.parse(text.toString()))
    return JSON.stringify([dependencies, devDependencies])
  }
  return packages(before) !== packages(after)
}

function mergeFields(ours: Fields, { base, theirs }: Omit<Values, 'ours'>): Fields {
  const [old, next] = [fieldsOf(base), fieldsOf(theirs)]
  const keys = new Set([...Object.keys(ours), ...Object.keys(next)])
  const pairs = [...keys].map(
    (key) => [key, mergeValue({ ours: ours[key], base: old[key], theirs: next[key] })] as const,
  )
  return Object.fromEntries(pairs.filter(([, value]) => value !== undefined))
}

function mergeValue({ ours, base, theirs }: Values): Value {
  if (isEqual(ours, base)) return theirs
  if (isEqual(theirs, base) || isEqual(ours, theirs)) return ours
  if (isFields(ours) && isFields(theirs)) return mergeFields(ours, { base, theirs })
  return newerVersion(ours, theirs) ?? ours
}

// Only of two plain versions, such as ^1.2.3: any other range was chosen on purpose.
function newerVersion(one: Value, other: Value): Value {
  const [a, b] = [versionOf(one), versionOf(other)]
  if (a === undefined || b === undefined) return undefined
  const difference = a.map((number, index) => number - (b[index] ?? 0)).find((each) => each !== 0) ?? 0
  return difference >= 0 ? one : other
}

function versionOf(value: Value): readonly number[] | undefined {
  if (typeof value !== 'string') return undefined
  const found = /^[\^~]?(\d+)\.(\d+)\.(\d+)$/.exec(value)
  return found?.slice(1).map(Number)
}

function isEqual(one: Value, other: Value): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}

function isFields(value: Value): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function fieldsOf(value: Value): Fields {
  return isFields(value) ? value : {}
}
