/**
 * The lines of `parts.ts`.
 *
 * @module
 */

/** A part that `parts.ts` names. */
export interface ListedPart {
  /** Its folder. */
  readonly name: string
  /** What the list calls it. */
  readonly line: string
}

/**
 * @param text Text of `parts.ts`.
 * @returns The parts that it imports, in the order of the imports.
 */
export function partsIn(text: string): readonly ListedPart[] {
  const found = text.matchAll(/^import \{ (\w+) \} from '\.\/parts\/([\w-]+)\/part\.ts'$/gm)
  return [...found].map(([, line = '', name = '']) => ({ line, name }))
}

/**
 * @param text Text of `parts.ts`.
 * @param names Names of parts.
 * @returns The text without these.
 */
export function withoutParts(text: string, names: readonly string[]): string {
  let left = text
  for (const { name, line } of partsIn(text).filter((part) => names.includes(part.name)))
    left = left.replace(`${importOf({ name, line })}\n`, '').replace(`\n  ${line},\n`, '\n')
  return left
}

/**
 * @param text Text of `parts.ts`.
 * @param added Parts to add.
 * @param order Lines of all parts of the kit, in the order of menus.
 * @returns The text with these, each behind the ones that come before it. A list that has not one part a line stays as it is.
 */
export function withParts(text: string, added: readonly ListedPart[], order: readonly string[]): string {
  let more = text
  for (const part of added) {
    const imports = partsIn(more)
    const next = imports.find(({ name }) => name > part.name)
    const last = imports.at(-1)
    const line = `${importOf(part)}\n`
    if (next !== undefined) more = more.replace(importOf(next), (found) => `${line}${found}`)
    else if (last !== undefined) more = more.replace(`${importOf(last)}\n`, (found) => `${found}${line}`)
    else more = more.replace(/^(?:import .*\n)*/, (found) => `${found}${line}`)
    more = listed(more, part.line, order)
  }
  return more
}

/**
 * @param text Text of `parts.ts`.
 * @returns The lines of its list, in the order of menus.
 */
export function orderIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}(\w+),$/gm)].map(([, line = '']) => line)
}

function listed(text: string, line: string, order: readonly string[]): string {
  const present = orderIn(text)
  const before = order.slice(0, order.indexOf(line)).findLast((each) => present.includes(each))
  const start = before === undefined ? /= \[\n(?: *\/\/.*\n)*/ : new RegExp(`\\n {2}${before},\\n`)
  // An empty list is on one line.
  const open = text.replace(/(= \[)\]/, '$1\n]')
  return open.replace(start, (found) => `${found}  ${line},\n`)
}

function importOf({ name, line }: ListedPart): string {
  return `import { ${line} } from './parts/${name}/part.ts'`
}
