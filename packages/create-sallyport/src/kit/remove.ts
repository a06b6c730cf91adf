/**
 * `sallyport-kit remove`.
 *
 * @module
 */
import { partsOf } from '../catalogue.ts'
import { environmentExample } from '../environment-example.ts'
import { withoutParts } from '../parts-list.ts'
import { planFor, type Project } from './opened.ts'
import type { Change } from './plan.ts'
import type { Proposal } from './proposal.ts'
import { Refusal } from './refusal.ts'
import { isSame, type Tree } from './tree.ts'

/**
 * @param project Loses the parts.
 * @param names Which.
 * @param isForced Whether edited files of them may be lost, too.
 * @returns The project without them. Their tables stay.
 * @throws {Refusal} If a part is not there, another one needs it, or it was edited and nothing is forced.
 */
export function remove(project: Project, names: readonly string[], isForced: boolean): Proposal {
  const { base, ours, lock } = project
  assertRemovable(project, names)
  const isGone = (path: string): boolean => names.some((name) => path.startsWith(`parts/${name}/`))
  const edited = [...ours].filter(([path, contents]) => isGone(path) && !isSame(contents, base.get(path)))
  const paths = edited.map(([path]) => path)
  if (paths.length > 0 && !isForced)
    throw new Refusal(`these files are yours or were edited: ${paths.join(', ')}; --force removes them, too`)
  const theirs = withoutListed(new Map([...base].filter(([path]) => !isGone(path))), names)
  const labels = ['yours', 'before', `without ${names.join(', ')}`]
  const planned = planFor(project, { base, theirs, labels })
  const lost = paths.map((path): Change => ({ outcome: 'removed', path, kitPath: path }))
  const tables = names.flatMap((name) => tablesOf(base, name))
  return {
    title: { done: `Removed ${names.join(', ')}.`, dry: `Would remove ${names.join(', ')}.` },
    step: {
      changes: [...planned.filter(({ path }) => !paths.includes(path)), ...lost],
      lock: { ...lock, parts: lock.parts.filter((name) => !names.includes(name)) },
      base: theirs,
    },
    files: new Map(),
    security: [],
    notes: tables.length === 0 ? [] : [aboutTables(tables)],
  }
}

function assertRemovable({ folder, lock }: Project, names: readonly string[]): void {
  const unknown = names.find((name) => !lock.parts.includes(name))
  if (unknown !== undefined)
    throw new Refusal(
      `the project has no part "${unknown}" of the kit: it has ${lock.parts.join(', ') || 'none'}`,
    )
  for (const { name, needs } of partsOf(folder)) {
    const needed = needs.find((each) => names.includes(each))
    if (needed !== undefined && !names.includes(name))
      throw new Refusal(`the part "${name}" needs "${needed}": remove "${name}", too, or keep both`)
  }
}

function withoutListed(files: Tree, names: readonly string[]): Tree {
  const edited = new Map(files)
  const edit = (path: string, change: (text: string) => string): void => {
    const text = files.get(path)
    if (text !== undefined) edited.set(path, Buffer.from(change(text.toString())))
  }
  const isListed = (line: string): boolean =>
    names.some((name) => line.includes(`](parts/${name}/README.md)`))
  edit('parts.ts', (text) => withoutParts(text, names))
  edit('README.md', (text) =>
    text
      .split('\n')
      .filter((line) => !isListed(line))
      .join('\n'),
  )
  edit('.env.example', () => environmentExample(files))
  return edited
}

/** The tables of a part, and the name of its migration. */
interface PartTables {
  readonly migration: string
  readonly tables: readonly string[]
}

function tablesOf(base: Tree, name: string): readonly PartTables[] {
  const text = base.get(`parts/${name}/migration.ts`)?.toString() ?? ''
  const tables = [...text.matchAll(/\bCREATE TABLE (\w+)/g)].map(([, table = '']) => table)
  return tables.length === 0 ? [] : [{ migration: `part_${name.replaceAll('-', '_')}`, tables }]
}

// The later tables may refer to the earlier ones.
function aboutTables(found: readonly PartTables[]): string {
  const statements = found.flatMap(({ migration, tables }) => [
    ...tables.toReversed().map((table) => `DROP TABLE ${table};`),
    `DELETE FROM kysely_migration WHERE name = '${migration}';`,
  ])
  const tables = found.flatMap((each) => each.tables)
  return [
    `A database that has run them keeps the tables ${tables.join(', ')}, and the application refuses to start with it until`,
    'you stop it, back the database up, and run there, with sqlite3 or psql:',
    ...statements.map((statement) => `  ${statement}`),
  ].join('\n')
}
