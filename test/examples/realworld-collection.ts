/**
 * The collection that the RealWorld project publishes for Postman, run by newman.
 *
 * The npm package `realworld` has its version 1.0.0. It expects users and an article that somebody wrote before, and its
 * requests come in no order that works on an empty database. {@link publishedCollection} puts them in one that does, and
 * fills in what the specification has asked for since. Every assertion stays as it was published; {@link DROPPED} names the
 * two properties that it asks for and the specification no longer has.
 *
 * @module
 */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { root } from '../scripts/guide-code.ts'

/** A request of a collection, or a folder of them. */
interface Item {
  readonly name: string
  readonly item?: readonly Item[]
  readonly event?: readonly { readonly script: { readonly exec: readonly string[] } }[]
}

/** What failed in a run. */
export interface Failure {
  readonly request: string
  /** The assertion, or what a script has thrown. */
  readonly problem: string
}

/** What newman reports of a run. */
export interface CollectionReport {
  /** Responses with their status, by the name of the request, in the order of sending. */
  readonly responses: readonly (readonly [name: string, status: number | undefined])[]
  readonly assertions: number
  readonly failures: readonly Failure[]
}

/** Assertions of the published collection about properties that the specification has dropped since. */
export const DROPPED: readonly string[] = ['User has "id" property', 'Article has "body" property']

const SUITE = join(root, '.tmp', 'realworld-suite')

// The scripts are plain JavaScript: the shape of what is used is told here.
const { installPackages } = (await import(
  new URL('../../scripts/lib/toolchain.mjs', import.meta.url).href
)) as { readonly installPackages: (folder: string) => Promise<void> }

// Users before what they do, an article before what is done to it, and deletions last.
const ORDER = [
  'Register, Login, Login and Remember Token, Current User, Update User, Profile, Follow Profile, Feed, Unfollow Profile',
  'Create Article, All Articles, Articles by Author, Articles Favorited by Username, Articles by Tag',
  'Single Article by slug, Update Article, Favorite Article, Unfavorite Article, All Tags',
  'Create Comment for Article, All Comments for Article, Delete Comment for Article, Delete Article',
].flatMap((names) => names.split(', '))

/** Installs the suite by its lockfile, outside the packages of the checkout: newman alone brings 150 of them. */
export async function installSuite(): Promise<void> {
  mkdirSync(SUITE, { recursive: true })
  for (const file of ['package.json', 'package-lock.json'])
    cpSync(join(root, 'test/examples/realworld-suite', file), join(SUITE, file))
  await installPackages(SUITE)
}

/** The published collection, for a database in which only the user `jack` has written an article. */
export function publishedCollection(): object {
  const file = join(SUITE, 'node_modules/realworld/api/Conduit.json.postman_collection')
  const text = readFileSync(file, 'utf8')
    // The slug and the number of a comment are the application's own.
    .replaceAll('/articles/how-to-train-your-dragon', '/articles/{{slug}}')
    .replace('/comments/1', '/comments/{{comment}}')
    // A description is required since.
    .replace(String.raw`\"body\":\"Very carefully.\"`, String.raw`\"description\":\"A guide\", $&`)
  const published = JSON.parse(text) as Item
  const requests = new Map(requestsOf(published).map((request) => [request.name, request]))
  assert.deepEqual([...requests.keys()].toSorted(), ORDER.toSorted())
  const item = ORDER.flatMap((name) => requests.get(name) ?? []).map((request) => {
    if (request.name === 'Create Article') return remember(request, 'slug', 'article.slug')
    if (request.name === 'Create Comment for Article') return remember(request, 'comment', 'comment.id')
    return request
  })
  return { ...published, item }
}

/**
 * Runs a collection by newman.
 *
 * @param collection A collection, or the path of one.
 * @param variables Environment of the collection.
 */
export function runCollection(
  collection: object | string,
  variables: Readonly<Record<string, string>>,
): CollectionReport {
  const folder = mkdtempSync(join(tmpdir(), 'sallyport-collection-'))
  try {
    const file = typeof collection === 'string' ? collection : join(folder, 'collection.json')
    if (typeof collection !== 'string') writeFileSync(file, JSON.stringify(collection))
    const report = join(folder, 'report.json')
    const { stdout, stderr } = spawnSync(
      process.execPath,
      [
        join(SUITE, 'node_modules/newman/bin/newman.js'),
        'run',
        file,
        '--reporters=json',
        `--reporter-json-export=${report}`,
        ...Object.entries(variables).flatMap(([name, value]) => ['--env-var', `${name}=${value}`]),
      ],
      { encoding: 'utf8', env: { PATH: process.env['PATH'] ?? '' } },
    )
    return readReport(report, stdout + stderr)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function requestsOf(item: Item): readonly Item[] {
  return item.item === undefined ? [item] : item.item.flatMap(requestsOf)
}

/** Adds a line to the script of a request: what later requests need of the response. */
function remember(request: Item, variable: string, place: string): Item {
  const line = `postman.setEnvironmentVariable('${variable}', JSON.parse(responseBody).${place});`
  const script = { exec: [line] }
  return {
    ...request,
    event: [...(request.event ?? []), { listen: 'test', script } as { script: typeof script }],
  }
}

interface NewmanReport {
  readonly run: {
    readonly stats: { readonly assertions: { readonly total: number } }
    readonly failures: readonly {
      readonly source?: { readonly name?: string }
      readonly error: { readonly test?: string; readonly message?: string }
    }[]
    readonly executions: readonly {
      readonly item: { readonly name: string }
      readonly response?: { readonly code: number }
    }[]
  }
}

function readReport(path: string, output: string): CollectionReport {
  let written: string
  try {
    written = readFileSync(path, 'utf8')
  } catch (error) {
    throw new Error(`newman has written no report: ${output}`, { cause: error })
  }
  const { run } = JSON.parse(written) as NewmanReport
  return {
    responses: run.executions.map(({ item, response }) => [item.name, response?.code]),
    assertions: run.stats.assertions.total,
    failures: run.failures.map(({ source, error }) => ({
      request: source?.name ?? '',
      problem: error.test ?? error.message ?? '',
    })),
  }
}
