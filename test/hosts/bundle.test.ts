import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { build, type Metafile } from 'esbuild'
import { build as rolldown } from 'rolldown'
import { PasswordHasher } from 'sallyport/auth'

const root = fileURLToPath(new URL('../../', import.meta.url))

const HELLO = `
import { App, Controller, defineModule } from 'sallyport'

class HelloController extends Controller {
  static readonly actions = { index: [] }
  index() { return { hello: 'world' } }
}

export const app = App.create().modules(defineModule('Hello', (module) => module.controllers(HelloController)))
`

const HASHER = `
import { PasswordHasher } from '${join(root, 'src/auth/index.ts')}'
export const hasher = new PasswordHasher()
`

async function bundleWithEsbuild(entry: string, outdir: string): Promise<void> {
  await build({
    entryPoints: [entry],
    bundle: true,
    outdir,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
  })
}

async function bundleWithRolldown(entry: string, dir: string): Promise<void> {
  await rolldown({ input: entry, output: { dir }, platform: 'node', logLevel: 'silent' })
}

async function bundle(contents: string, outfile: string, write = true): Promise<Metafile> {
  const { metafile } = await build({
    stdin: { contents, resolveDir: root, loader: 'ts' },
    absWorkingDir: root,
    bundle: true,
    outfile,
    write,
    metafile: true,
    format: 'esm',
    platform: 'node',
    conditions: ['sallyport-source'],
    logLevel: 'silent',
  })
  return metafile
}

describe('a bundle of a hello world', () => {
  it('contains neither native hashers nor a template engine, and answers', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sallyport-bundle-'))
    try {
      const outfile = join(folder, 'hello.mjs')
      const { inputs } = await bundle(HELLO, outfile)
      const heavy =
        /@node-rs|argon2|bcrypt|noble|edge\.js|edge-view-engine|password-hasher|node_modules\/(pg|redis)\//

      assert.deepEqual(
        Object.keys(inputs).filter((path) => heavy.test(path)),
        [],
      )
      const { app } = (await import(pathToFileURL(outfile).href)) as {
        app: { fetch(request: Request): Promise<Response> }
      }
      const response = await app.fetch(new Request('http://localhost/hello/hello'))
      assert.deepEqual(await response.json(), { hello: 'world' })
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  it('contains no forms unless the application has one [HOST-06]', async () => {
    const filesOf = async (contents: string): Promise<readonly string[]> => {
      const { outputs } = await bundle(contents, join(tmpdir(), 'unused.mjs'), false)
      const [output] = Object.values(outputs)
      return Object.entries(output?.inputs ?? {}).flatMap(([path, { bytesInOutput }]) =>
        bytesInOutput > 0 && /form-parameter|submitted\.ts|shown-form|typed-fields/.test(path) ? [path] : [],
      )
    }
    const form = `import { form } from 'sallyport/routing'; console.log(form)`

    assert.deepEqual(await filesOf(HELLO), [])
    assert.equal((await filesOf(`${HELLO}; ${form}`)).length, 4)
  })

  for (const [name, bundleFile] of [
    ['esbuild', bundleWithEsbuild],
    ['rolldown', bundleWithRolldown],
  ] as const) {
    it(`can have a password hasher by ${name} without flags, and hashes without native code [HOST-07]`, async () => {
      const folder = await mkdtemp(join(tmpdir(), 'sallyport-bundle-'))
      try {
        const entry = join(folder, 'entry.ts')
        await writeFile(entry, HASHER)
        await bundleFile(entry, join(folder, 'out'))
        const file = pathToFileURL(join(folder, 'out', 'entry.js')).href
        const { hasher } = (await import(file)) as { hasher: PasswordHasher }

        // There is no package beside the bundle that it could load.
        assert.equal(await hasher.implementation(), 'platform')
        assert.equal(await new PasswordHasher().verify('right', await hasher.hash('right')), true)
        assert.equal(await hasher.verify('wrong', await new PasswordHasher().hash('right')), false)
      } finally {
        await rm(folder, { recursive: true })
      }
    })
  }
})
