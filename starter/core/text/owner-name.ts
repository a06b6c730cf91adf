import { isPlainLine } from './plain-line.ts'

/** The longest name of a person, in characters. */
export const NAME_CHARACTERS = 100

/** @returns Whether it may be used. */
export function isOwnerName(name: string): boolean {
  return name.length <= NAME_CHARACTERS && isPlainLine(name)
}
