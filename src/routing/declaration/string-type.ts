import { ParameterType } from './parameter-type.ts'

/** Any segment. */
export const STRING: ParameterType<string> = new ParameterType<string>(
  {
    name: 'string',
    pattern: '[^]+',
    typescript: 'string | number | bigint',
    isExact: true,
  },
  (text) => text,
  plainText,
)

/** The text of a string, finite number, boolean or bigint; undefined for anything else. */
export function plainText(value: unknown): string | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? value : undefined
  if (typeof value === 'number') return Number.isFinite(value) ? String(value) : undefined
  return typeof value === 'boolean' || typeof value === 'bigint' ? String(value) : undefined
}
