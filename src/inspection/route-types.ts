import { asEscapes } from '../core/internal.ts'
import type { ListedRoute } from './route-listing.ts'

/** A declaration file, and how many names it declares. */
export interface Declaration {
  readonly text: string
  readonly names: number
}

/**
 * Writes the declaration file that tells the compiler names, values and locales. It is flat, one line for each name, so
 * that thousands cost the compiler little; the same routes give the same text.
 */
export function declarationOf(routes: readonly ListedRoute[], locales: readonly string[]): Declaration {
  const byName = new Map<string, string>()
  for (const route of routes) {
    for (const name of [route.name, route.shortName]) if (name !== null) byName.set(name, valuesOf(route))
  }
  const entries = [...byName].sort(([one], [other]) => (one < other ? -1 : 1))
  // Routes with the same values share a type: the compiler then looks at each once, not at each route.
  const shapes = new Map<string, string>()
  const prefix = prefixOf(entries.map(([, values]) => values))
  for (const [, values] of entries) if (!shapes.has(values)) shapes.set(values, `${prefix}${shapes.size + 1}`)
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

// A type of this file would stand before a global one of the application that is called the same.
function prefixOf(types: readonly string[]): string {
  let prefix = 'Values'
  while (types.some((type) => new RegExp(`\\b${prefix}\\d`).test(type))) prefix += '_'
  return prefix
}

function valuesOf({ parameters }: ListedRoute): string {
  const members = parameters.map(({ name, typescript, isList, isOptional }) => {
    const type = isList ? `readonly (${typescript})[]` : typescript
    return `${name}${isOptional ? '?' : ''}: ${type}`
  })
  return members.length === 0 ? '{}' : `{ ${members.join('; ')} }`
}

// Whatever a name holds, it stays one text in one line, in which all is seen.
function quote(text: string): string {
  const escaped = text.replaceAll(/[\\']/g, String.raw`\$&`)
  return `'${escaped.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, asEscapes)}'`
}
