import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, lstatSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { request } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { serve, type Server, type ServeOptions } from 'sallyport/node'
import { site } from '../app/fixture.ts'

function folder(t: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'socket-'))
  t.after(() => rmSync(path, { recursive: true }))
  return path
}

async function listening(t: TestContext, socketPath: string, options: ServeOptions = {}): Promise<Server> {
  const app = site({
    'GET /': (context) => ({ address: context.clientAddress(), origin: context.origin() }),
  })
  const server = await serve(app, { socketPath, signals: [], ...options })
  t.after(() => server.close())
  return server
}

function ask(socketPath: string, headers: Record<string, string> = {}): Promise<string> {
  return new Promise((resolve, reject) => {
    const outgoing = request(
      { socketPath, path: '/', headers: { host: 'app.test', ...headers }, agent: false },
      (response) => {
        let text = ''
        response.setEncoding('utf8')
        response.on('data', (piece: string) => (text += piece))
        response.on('end', () => resolve(text))
      },
    )
    outgoing.on('error', reject)
    outgoing.end()
  })
}

/** Leaves a socket behind, as a process does that is killed. */
async function leaveBehind(path: string): Promise<void> {
  const code = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('up'))`
  const child = spawn(process.execPath, ['-e', code], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(child.stdout, 'data')
  child.kill('SIGKILL')
  await once(child, 'close')
}

const FORWARDED = { 'x-forwarded-for': '192.0.2.1', 'x-forwarded-proto': 'https' }

describe('serve() on a Unix socket', () => {
  it('answers there, and removes the socket when it closes [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    const server = await listening(t, path)

    assert.deepEqual(JSON.parse(await ask(path)), { address: '', origin: 'http://app.test' })
    assert.equal(server.url, `unix:${path}`)
    await server.close()

    assert.deepEqual(readdirSync(join(path, '..')), [])
  })

  it('gives the socket the mode that was asked for [PAGE-18]', async (t) => {
    const dir = folder(t)
    await listening(t, join(dir, 'usual.sock'))
    await listening(t, join(dir, 'open.sock'), { socketMode: 0o666 })

    assert.equal(lstatSync(join(dir, 'usual.sock')).mode & 0o777, 0o660)
    assert.equal(lstatSync(join(dir, 'open.sock')).mode & 0o777, 0o666)
  })

  it('takes over a socket that a killed process has left behind [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    await leaveBehind(path)
    assert.ok(existsSync(path))

    await listening(t, path)

    assert.match(await ask(path), /app\.test/)
  })

  it('refuses a socket that another server answers, and leaves it alone [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    await listening(t, path)

    await assert.rejects(listening(t, path), { code: 'EADDRINUSE' })

    assert.match(await ask(path), /app\.test/)
    assert.deepEqual(readdirSync(join(path, '..')), ['app.sock'])
  })

  it('lets one of many servers win that start at once on a leftover [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    await leaveBehind(path)

    const started = await Promise.allSettled(Array.from({ length: 8 }, () => listening(t, path)))

    assert.equal(started.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.match(await ask(path), /app\.test/)
    assert.deepEqual(readdirSync(join(path, '..')), ['app.sock'])
  })

  it('lets one of many servers win each time [PAGE-18]', async (t) => {
    for (let round = 0; round < 15; round++) {
      const path = join(folder(t), 'app.sock')
      await leaveBehind(path)

      const started = await Promise.allSettled(Array.from({ length: 8 }, () => listening(t, path)))

      assert.equal(started.filter(({ status }) => status === 'fulfilled').length, 1, `round ${round}`)
      assert.match(await ask(path), /app\.test/)
      assert.deepEqual(readdirSync(join(path, '..')), ['app.sock'])
    }
  })

  it('lets one of eight processes win that start at once on a leftover [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    await leaveBehind(path)
    const source = (file: string): string =>
      JSON.stringify(new URL(`../../src/${file}`, import.meta.url).href)
    const program = `
      import { once } from 'node:events'
      import { App } from ${source('index.ts')}
      import { serve } from ${source('node/index.ts')}
      const app = App.create({ debug: false })
      await app.boot()
      console.log('ready')
      await once(process.stdin, 'data')
      try { await serve(app, { socketPath: ${JSON.stringify(path)}, signals: [] }); console.log('listens') }
      catch (error) { console.log('refused ' + error.code); process.exit() }`
    const options = ['--conditions=sallyport-source', '--input-type=module', '--eval', program]
    const children = Array.from({ length: 8 }, () =>
      spawn(process.execPath, options, { stdio: ['pipe', 'pipe', 'inherit'] }),
    )
    t.after(() => children.forEach((child) => child.kill('SIGKILL')))
    const said = (): Promise<string[]> =>
      Promise.all(children.map(async ({ stdout }) => String((await once(stdout, 'data'))[0]).trim()))
    await said()

    const answers = said()
    for (const child of children) child.stdin.write('go')

    const expected = ['listens', ...Array.from({ length: 7 }, () => 'refused EADDRINUSE')]
    assert.deepEqual((await answers).toSorted(), expected)
    assert.match(await ask(path), /Not found/)
    assert.deepEqual(readdirSync(join(path, '..')), ['app.sock'])
  })

  it('is not kept out by a process that ended while it removed a leftover [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    const lock = join(path, '..', '.app.sock.lock')
    await leaveBehind(path)
    writeFileSync(lock, '')
    utimesSync(lock, 1, 1)

    await listening(t, path)

    assert.match(await ask(path), /app\.test/)
    assert.deepEqual(readdirSync(join(path, '..')), ['app.sock'])
  })

  it('never removes what is not a socket [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    writeFileSync(path, 'precious')

    await assert.rejects(listening(t, path), /not a socket/)

    assert.deepEqual(readdirSync(join(path, '..')), ['app.sock'])
    assert.equal(lstatSync(path).size, 8)
  })

  it('leaves alone what another process has put in its place [PAGE-18]', async (t) => {
    const path = join(folder(t), 'app.sock')
    const server = await listening(t, path)
    rmSync(path)
    const other = createServer().listen(path)
    await once(other, 'listening')

    await server.close()

    assert.ok(existsSync(path))
    other.close()
  })

  it('believes a proxy behind the socket only when told to [PAGE-18]', async (t) => {
    const dir = folder(t)
    await listening(t, join(dir, 'a.sock'))
    await listening(t, join(dir, 'b.sock'), { trustedProxies: { addresses: ['127.0.0.1'] } })
    await listening(t, join(dir, 'c.sock'), { trustedProxies: { addresses: ['unix'] } })

    for (const name of ['a.sock', 'b.sock'])
      assert.deepEqual(JSON.parse(await ask(join(dir, name), FORWARDED)), {
        address: '',
        origin: 'http://app.test',
      })
    assert.deepEqual(JSON.parse(await ask(join(dir, 'c.sock'), FORWARDED)), {
      address: '192.0.2.1',
      origin: 'https://app.test',
    })
  })

  it('trusts nobody over TCP for a proxy at the socket [PAGE-18]', async (t) => {
    const app = site({ 'GET /': (context) => context.clientAddress() })
    const server = await serve(app, { port: 0, signals: [], trustedProxies: { addresses: ['unix'] } })
    t.after(() => server.close())

    assert.equal(await (await fetch(server.url, { headers: FORWARDED })).text(), '127.0.0.1')
  })

  it('refuses options that contradict each other, and paths that no system takes', async (t) => {
    const socketPath = join(folder(t), 'app.sock')
    const wrong: ServeOptions[] = [
      { socketPath, port: 3000 },
      { socketPath, host: '127.0.0.1' },
      { socketMode: 0o600, port: 0 },
      { socketPath, socketMode: 0o7777 },
      { socketPath: '' },
      { socketPath: 'a\0b' },
      { socketPath: `/tmp/${'x'.repeat(120)}` },
    ]

    for (const options of wrong) await assert.rejects(serve(site({}), options), TypeError)
    await assert.rejects(listening(t, join(socketPath, 'none', 'app.sock')), /ENOENT|EACCES|ENOTDIR/)
  })
})
