import type { ListedRoute } from './application.ts'

const TYPES: Readonly<Record<ListedRoute['parameters'][number]['kind'], string>> = {
  string: 'string | number | bigint',
  int: 'number | bigint',
  float: 'number',
  bool: 'boolean',
}

/** A declaration file, and what it holds. */
export interface Declaration {
  readonly text: string
  /** How many names it declares. */
  readonly names: number
}

/**
 * Writes the declaration file that tells the compiler names, values and locales. It is flat, one line for each name, so
 * that thousands cost the compiler little; the same routes give the same text.
 *
 * @param routes The routes of the application.
 * @param locales Its locales.
 * @returns The file.
 */
export function declarationOf(routes: readonly ListedRoute[], locales: readonly string[]): Declaration {
  const byName = new Map<string, string>()
  for (const route of routes) {
    for (const name of [route.name, route.shortName]) if (name !== null) byName.set(name, valuesOf(route))
  }
  const entries = [...byName].sort(([one], [other]) => (one < other ? -1 : 1))
  // Routes with the same values share a type: the compiler then looks at each once, not at each route.
  const shapes = new Map<string, string>()
  for (const [, values] of entries) if (!shapes.has(values)) shapes.set(values, `Values${shapes.size + 1}`)
  const types = [...shapes].map(([values, type]) => `type ${type} = ${values}\n`).join('')
  const names = entries
    .map(([name, values]) => `    ${quote(name)}: ${shapes.get(values) ?? values}\n`)
    .join('')
  const text = `// Written by "sallyport routes --types". Write it again when routes change; do not edit it.
import type {} from 'sallyport/routing'

${types}
declare module 'sallyport/routing' {
  interface RegisteredRoutes {
${names}  }
  interface RegisteredLocales {
${locales.map((locale) => `    ${quote(locale)}: true\n`).join('')}  }
}
`
  return { text, names: entries.length }
}

function valuesOf({ parameters }: ListedRoute): string {
  const members = parameters.map(({ name, kind, isList, isOptional }) => {
    const type = isList ? `readonly (${TYPES[kind]})[]` : TYPES[kind]
    return `${name}${isOptional ? '?' : ''}: ${type}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

function quote(text: string): string {
  return `'${text.replaceAll(/[\\']/g, String.raw`\$&`).replaceAll('\n', String.raw`\n`)}'`
}
