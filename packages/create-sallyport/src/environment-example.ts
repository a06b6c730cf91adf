/**
 * The file `.env.example`: every variable of the project, as its documents list them.
 *
 * @module
 */
import type { Files } from './files.ts'

const ENVIRONMENT = 'docs/configuration.md'

/**
 * @param files Files of the project.
 * @returns Each variable with its meaning, commented out.
 */
export function environmentExample(files: Files): string {
  const readmes = [...files.keys()].filter((path) => /^parts\/[\w-]+\/README\.md$/.test(path))
  const rows = [
    ...rowsBelow('Environment', files.get(ENVIRONMENT)),
    ...readmes.flatMap((path) => rowsBelow('Settings', files.get(path))),
  ]
  const blocks = rows.map(([variables = '', meaning = '', preset = '']) => {
    const names = [...variables.matchAll(/`(\w+)`/g)].map(([, name = '']) => name)
    const lines = [wrapped(plain(meaning)), `# Default: ${plain(preset).replace('–', 'none')}`]
    return [...lines, ...names.map((name) => `#${name}=`)].join('\n')
  })
  const first =
    '# Copy this file to .env, which git ignores. A variable that is commented out has its default.'
  return `${[first, ...blocks].join('\n\n')}\n`
}

function rowsBelow(heading: string, contents: string | Uint8Array | undefined): readonly string[][] {
  if (contents === undefined) return []
  const [, section = ''] = Buffer.from(contents).toString().split(`\n## ${heading}\n`)
  const [table = ''] = section.split('\n## ')
  return [...table.matchAll(/^\| (`.*) \|$/gm)].map(([, row = '']) => row.split(' | '))
}

function plain(markdown: string): string {
  return markdown.replaceAll(/\[([^\]]+)\]\([^)]*\)/g, '$1').replaceAll('`', '')
}

function wrapped(text: string): string {
  return text.replaceAll(/(.{1,100})(?: |$)/g, '# $1\n').trimEnd()
}
