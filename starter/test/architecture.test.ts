import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { PARTS } from '../parts.ts'

const STARTER = fileURLToPath(new URL('..', import.meta.url))
const FILES = globSync('{*,core/**/*,parts/**/*}.ts', { cwd: STARTER }).filter(
  (file) => !file.includes('/test/'),
)

interface Imported {
  readonly name: string
  /** Whether it is there when the program runs. */
  readonly isValue: boolean
}

function importsOf(file: string): readonly Imported[] {
  const text = readFileSync(join(STARTER, file), 'utf8')
  return [...text.matchAll(/^(?:import|export) (type )?([^'";]*?)from '([^']+)'/gms)].map(
    ([, type, names = '', name = '']) => ({
      name: name.startsWith('.') ? normalize(join(dirname(file), name)) : name,
      isValue: type === undefined && !/^\{(?:\s*type \w+(?: as \w+)?,?)*\s*\}\s*$/.test(names),
    }),
  )
}

/** Files of a folder that import something. */
function offenders(folder: string, isForbidden: RegExp, of: RegExp = /./): readonly string[] {
  return FILES.filter((file) => file.startsWith(folder) && of.test(file)).flatMap((file) =>
    importsOf(file).flatMap(({ name }) => (isForbidden.test(name) ? [`${file}: ${name}`] : [])),
  )
}

/** Each circle of a graph, once, by what closes it. */
function circlesOf(edges: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  const found: string[] = []
  const done = new Set<string>()
  const follow = (node: string, path: readonly string[]): void => {
    if (path.includes(node)) found.push([...path.slice(path.indexOf(node)), node].join(' → '))
    if (path.includes(node) || done.has(node)) return
    for (const next of edges.get(node) ?? []) follow(next, [...path, node])
    done.add(node)
  }
  for (const node of edges.keys()) follow(node, [])
  return found
}

function edgesBetween(nodeOf: (file: string) => string): ReadonlyMap<string, ReadonlySet<string>> {
  const edges = new Map<string, Set<string>>()
  for (const file of FILES) {
    const from = nodeOf(file)
    const to = edges.get(from) ?? new Set()
    for (const { name, isValue } of importsOf(file))
      if (isValue && name.endsWith('.ts') && nodeOf(name) !== from) to.add(nodeOf(name))
    edges.set(from, to)
  }
  return edges
}

describe('the layers of the starter', () => {
  it('has no SQL in its controllers: they import neither kysely nor the database', () => {
    assert.deepEqual(offenders('core', /^kysely|^core\/database\//, /controller\.ts$/), [])
  })

  it('names parts in parts.ts alone, and in what a part needs', () => {
    assert.deepEqual(
      FILES.filter((file) => !file.startsWith('parts/')).filter((file) =>
        importsOf(file).some(({ name }) => name.startsWith('parts/')),
      ),
      PARTS.length === 0 ? [] : ['parts.ts'],
    )
  })

  it('leaves drivers of databases and mail servers, and sockets, to the package beneath it [RA-3324]', () => {
    const DRIVERS =
      /^(?:pg|redis|nodemailer|kysely\/migration|node:(?:sqlite|http)|sallyport\/(?:node|session\/\w+))$/

    assert.deepEqual(offenders('', DRIVERS), [])
    assert.notDeepEqual(offenders('', /^sallyport-app\/(?:boot|database|mail)/), [])
  })

  it('has no circle of files, and none of folders', () => {
    assert.deepEqual(circlesOf(edgesBetween((file) => file)), [])
    assert.deepEqual(circlesOf(edgesBetween(dirname)), [])
  })

  it('finds such imports where they are allowed', () => {
    assert.notDeepEqual(offenders('core', /^kysely|^core\/database\//), [])
    assert.ok(
      circlesOf(
        new Map([
          ['a', new Set(['b'])],
          ['b', new Set(['a'])],
        ]),
      ).length > 0,
    )
  })
})
