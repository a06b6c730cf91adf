/**
 * Leads imports past tables of contents. A folder is reached through its `index.ts` or `internal.ts`, which name files that the
 * importer does not use. What a chunk holds is decided by what is imported, so they would make chunks of everything.
 *
 * @module
 */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

const STATEMENT = /^(import|export) \{([^}]*)\} from '(\.[^']*)'$/gm
const TABLE = /[/\\](?:index|internal)\.ts$/

/**
 * @returns {import('rolldown').Plugin} A plugin that does it.
 */
export function directImports() {
  return {
    name: 'direct-imports',
    transform: {
      filter: { id: /[/\\]src[/\\].*\.ts$/ },
      handler: (code, id) =>
        code.replaceAll(STATEMENT, (statement, word, names, path) =>
          TABLE.test(path)
            ? namesOf(names)
                .map((name) => direct(word, name, id, path))
                .join('\n')
            : statement,
        ),
    },
  }
}

function direct(word, name, importer, path) {
  const [own, alias = own] = name.replace(/^type /, '').split(' as ')
  const { file, exported } = sourceOf(join(dirname(importer), path), own)
  const target = relative(dirname(importer), file).replaceAll('\\', '/')
  // Of `import { type A }` an import of the file would remain.
  const what = name.startsWith('type ') ? `${word} type` : word
  return `${what} { ${exported} as ${alias} } from './${target}'`
}

/** The file that declares what a table of contents exports, and its name there. */
function sourceOf(table, name) {
  if (!existsSync(table)) throw new Error(`Cannot find ${table}`)
  for (const [, , names, path] of readFileSync(table, 'utf8').matchAll(
    /^export (type )?\{([^}]*)\} from '(\.[^']*)'$/gm,
  ))
    for (const each of namesOf(names)) {
      const [own, alias = own] = each.replace(/^type /, '').split(' as ')
      if (alias !== name) continue
      const file = join(dirname(table), path)
      return TABLE.test(path) ? sourceOf(file, own) : { file, exported: own }
    }
  throw new Error(`Cannot find ${name} in ${table}`)
}

function namesOf(text) {
  return text
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')
}
