import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { serve } from 'sallyport/node'
import { request } from '../node/raw.ts'
import { serveFolder, temporaryFolder, type TemporaryFolder } from './fixture.ts'

const SECRET = 'the secret'

// Every spelling that a server was ever tricked with. None is the name of a file of the folder.
const SPELLINGS: readonly string[] = [
  '../secret.txt',
  '..%2fsecret.txt',
  '..%2Fsecret.txt',
  '%2e%2e/secret.txt',
  '%2e%2e%2fsecret.txt',
  '%2E%2E/secret.txt',
  '..%5csecret.txt',
  '..%5Csecret.txt',
  '..%252fsecret.txt',
  '%252e%252e%252fsecret.txt',
  '..%c0%afsecret.txt',
  '..%c1%9csecret.txt',
  '..%e0%80%afsecret.txt',
  '..%u2215secret.txt',
  '..%ef%bc%8fsecret.txt',
  '..%00/secret.txt',
  '....//secret.txt',
  '..;/secret.txt',
  './/../secret.txt',
  'sub/../../secret.txt',
  'sub/..%2f..%2fsecret.txt',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'file:%2f%2f%2fetc%2fpasswd',
  'C:%5cWindows%5cwin.ini',
  '.env',
  '%2eenv',
  '.git/config',
  '.hidden/a.txt',
  'sub/.env',
  'app.css%00',
  'app.css%00.txt',
  'app.css%20',
  'app.css.',
  'app.css%2e',
  'app.css::$DATA',
  'app.css:x',
  'APP.CSS',
  'App.css',
  'app%2ecss%2f',
  'sub%2fa.txt',
  'sub%2Fa.txt',
  'sub%5ca.txt',
  'sub/',
  'sub',
  '',
  'out.txt',
  'outside/secret.txt',
  'broken.txt',
  'loop/loop/loop/app.css',
  'pipe',
  'con',
  'CON',
  'nul.txt',
  'NUL.css',
  'aux',
  'com1',
  'COM1.txt',
  'lpt9.log',
  'app.css~',
  'app~1.css',
  'app.css?/../secret.txt'.replace('?', '%3f'),
  '%',
  '%zz',
  'app.css%0d%0aX: y'.replaceAll(' ', '%20'),
]

function trap(): TemporaryFolder {
  const outer = temporaryFolder({
    'secret.txt': SECRET,
    'public/app.css': 'css',
    'public/sub/a.txt': 'a',
    'public/.env': SECRET,
    'public/sub/.env': SECRET,
    'public/.git/config': SECRET,
    'public/.hidden/a.txt': SECRET,
    'public/con': SECRET,
    'public/nul.txt': SECRET,
    'public/COM1.txt': SECRET,
    'public/lpt9.log': SECRET,
    'public/app.css ': SECRET,
    'public/app.css.': SECRET,
    'public/app.css:x': SECRET,
    'public/sub\\a.txt': SECRET,
  })
  outer.link('public/out.txt', '../secret.txt')
  outer.link('public/outside', '..')
  outer.link('public/broken.txt', './nothing')
  outer.link('public/loop', '.')
  outer.link('public/inside.css', './app.css')
  execFileSync('mkfifo', [join(outer.path, 'public/pipe')])
  return { ...outer, url: new URL('public/', outer.url) }
}

describe('Folder', () => {
  for (const fingerprint of [true, false]) {
    const name = fingerprint ? 'listed once' : 'looked up at each request'

    it(`lets no spelling out, and to no hidden file, when ${name} [PAGE-09]`, async () => {
      const { app, client, assets } = serveFolder(trap(), { fingerprint })
      const server = await serve(app, { port: 0, host: '127.0.0.1' })

      try {
        for (const spelling of SPELLINGS) {
          const target = `/assets/${spelling}`
          const head = ['host: localhost', 'connection: close']
          const { status, body } = await request(server.port, [`GET ${target} HTTP/1.1`, ...head])
          assert.ok([308, 400, 404].includes(status), `${target} is a ${status}`)
          assert.ok(!body.includes(SECRET), target)
        }
        assert.equal((await client.get('/assets/app.css')).status, 200)
        assert.equal((await client.get('/assets/sub/a.txt')).status, 200)
        assert.equal((await client.get('/assets/inside.css')).status, 200)
        assert.deepEqual([...assets.assetNames], ['app.css', 'inside.css', 'sub/a.txt'])
      } finally {
        await server.close()
      }
    })

    it(`follows no link that took the place of a file, when ${name} [PAGE-09]`, async () => {
      const folder = trap()
      const { client } = serveFolder(folder, { fingerprint })
      assert.equal((await client.get('/assets/app.css')).status, 200)

      execFileSync('ln', ['-sfn', '../secret.txt', join(folder.path, 'public/app.css')])

      assert.equal((await client.get('/assets/app.css')).status, 404)
    })
  }

  it('ends at a link that leads back [PAGE-09]', () => {
    const folder = temporaryFolder({ 'a/x.txt': 'x' })
    mkdirSync(join(folder.path, 'b'))
    folder.link('b/a', '../a')
    folder.link('a/b', '../b')

    const { assets } = serveFolder(folder)

    assert.deepEqual([...assets.assetNames], ['a/x.txt', 'b/a/x.txt'])
  })
})
