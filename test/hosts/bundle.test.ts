import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'

import { build, type Metafile } from 'esbuild'

const root = fileURLToPath(new URL('../../', import.meta.url))

const HELLO = `
import { App, Controller, defineModule } from 'sallyport'

class HelloController extends Controller {
  static readonly actions = { index: [] }
  index() { return { hello: 'world' } }
}

export const app = App.create().modules(defineModule('Hello', (module) => module.controllers(HelloController)))
`

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
        /@node-rs|argon2|bcrypt|edge\.js|edge-view-engine|password-hasher|node_modules\/(pg|redis)\//

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

  it('would not bundle with the hashers in it: the previous test can fail', async () => {
    await assert.rejects(
      bundle(
        `import { PasswordHasher } from 'sallyport/auth'; console.log(PasswordHasher)`,
        join(tmpdir(), 'unused.mjs'),
      ),
      /\.node/,
    )
  })
})
