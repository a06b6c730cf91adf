import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { ofParts } from './facts-of-parts.ts'
import { World } from './support.ts'
import { describeWaysIn, MAIL_LINKS, SIGNS_NOBODY_IN, WAYS_IN, WAYS_IN_FILE } from './ways-in.ts'

const STARTER = fileURLToPath(new URL('..', import.meta.url))
const DOOR = 'core/login/login-completion.ts'
// What only the door uses.
const ENTRY = 'core/login/session-entry.ts'

/** Where its modules are declared. */
const OWN_FOLDERS: readonly string[] = ['core', 'parts'].map((folder) => join(STARTER, folder))

/** The program's own files. */
const FILES: readonly string[] = readdirSync(STARTER, { recursive: true, encoding: 'utf8' }).filter(
  (file) => file.endsWith('.ts') && !/(^|\/)(test|node_modules)\//.test(file),
)

function read(file: string): string {
  return readFileSync(join(STARTER, file), 'utf8')
}

function importsOf(file: string): readonly string[] {
  return [...read(file).matchAll(/from '(\.[^']+)'/g)].map(([, name = '']) => join(dirname(file), name))
}

// A controller, or what controllers extend.
function isOfPages(file: string): boolean {
  return /^export (?:abstract )?class \w+ extends \w+/m.test(read(file))
}

/** Whether a file of a module has the door at hand, itself or by what it extends. */
function reachesDoor(file: string): boolean {
  const imported = importsOf(file)
  return imported.some((name) => name === DOOR || (isOfPages(name) && reachesDoor(name)))
}

/** The file of a controller: the one beside its module, where several have the name. */
function fileOf(controller: string, source: string): string {
  const folder = dirname(relative(STARTER, source.replace(/:\d+$/, '')))
  const declaring = FILES.filter((name) => read(name).includes(`export class ${controller} `))
  const file = declaring.find((name) => dirname(name) === folder) ?? declaring[0]
  assert.ok(file !== undefined, `${controller} in ${folder}`)
  return file
}

describe('the ways in', () => {
  it('are all in the list, and nothing else is [RA-2601 RA-2706]', async (test) => {
    const world = await World.create(test, ofParts('settings'))
    await world.app.boot()
    const routes = (await world.app.inspection()).routes().filter(({ kind }) => kind !== 'resolver')
    const found = routes.flatMap(({ action, source, methods, paths }) => {
      const [controller = ''] = action.split('::')
      // The static files are the framework's.
      if (source === undefined || !OWN_FOLDERS.some((folder) => source.includes(folder))) return []
      if (!reachesDoor(fileOf(controller, source))) return []
      return methods
        .filter((method) => method !== 'HEAD')
        .map((method) => `${method} ${paths[0]?.path ?? ''}`)
    })

    const listed = [...Object.values(WAYS_IN).map(({ route }) => route), ...Object.keys(SIGNS_NOBODY_IN)]
    assert.deepEqual([...new Set(found)].toSorted(), [...new Set(listed)].toSorted())
  })

  it('pass one door: a single file calls login(), and one tells a request who it is, beside those of parts [RA-2706]', () => {
    const calling = (pattern: RegExp): readonly string[] => FILES.filter((file) => pattern.test(read(file)))

    assert.deepEqual(calling(/\.login\(/), [ENTRY])
    assert.deepEqual(
      FILES.filter((file) => importsOf(file).includes(ENTRY)),
      [DOOR],
    )
    const telling = /\.authenticate\(|ResolveIdentity.* from 'sallyport-app\/sessions'/
    assert.deepEqual(calling(telling).toSorted(), [
      'core/sessions/resolve-identity.ts',
      ...Object.keys(ofParts('identities')),
    ])
  })

  it('have no link of a mail among them: each route with a token is described [RA-2706]', async (test) => {
    const world = await World.create(test)
    await world.app.boot()
    const routes = (await world.app.inspection()).routes()
    const found = routes.flatMap(({ methods, paths }) =>
      methods.includes('POST') ? paths.map(({ path }) => `POST ${path}`) : [],
    )

    assert.deepEqual(
      found.filter((route) => route.includes('{token}')).toSorted(),
      Object.keys(MAIL_LINKS).toSorted(),
    )
  })

  it('are described by WAYS-IN.md (node --conditions=sallyport-source test/ways-in.ts --write) [RA-2601]', () => {
    assert.equal(readFileSync(WAYS_IN_FILE, 'utf8'), describeWaysIn())
  })
})
