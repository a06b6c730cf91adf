import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'

import { accountFile, Jar, start } from '../attacks/fixture/processes.ts'
import { API_TOKEN, OPS_PASSWORD } from '../attacks/fixture/guards.ts'
import { codeOfStep, PERIOD } from '../attacks/fixture/totp.ts'
import { passwordOf, secretOf, T0 } from '../attacks/fixture/world.ts'
import { figure, sized } from './figure.ts'
import { send, Worker } from './fixture/workers.ts'
import { Samples } from './samples.ts'

const LINES = ['GET /page/fast', 'GET /page/slow', 'GET /page/stream', 'POST /page/form'] as const
const BODIES: Readonly<Record<string, string>> = {
  'GET /page/fast': 'fast',
  'GET /page/slow': 'slow',
  'GET /page/stream': 'piece '.repeat(5),
  'POST /page/form': 'é&',
}

/** Clients in front of a set of processes that is replaced one by one, as a balancer does. */
class Cluster {
  readonly ends = new Samples()
  answered = 0
  handled = 0
  repeated = 0
  readonly dropped: string[] = []
  #live: Worker[] = []

  static async start(count: number): Promise<Cluster> {
    const cluster = new Cluster()
    cluster.#live = await Promise.all(Array.from({ length: count }, () => Worker.start()))
    return cluster
  }

  /** Sends requests until so many are answered, and replaces processes meanwhile. */
  async run(requests: number, restarts: number, isAnnounced: boolean): Promise<void> {
    let turn = 0
    const clients = Array.from({ length: 12 }, async () => {
      while (this.answered + this.dropped.length < requests) await this.#ask(turn++)
    })
    for (let i = 0; i < restarts; i++) await this.#replace(isAnnounced)
    await Promise.all(clients)
    for (const worker of this.#live) await this.#end(worker)
  }

  async #replace(isAnnounced: boolean): Promise<void> {
    this.#live.push(await Worker.start())
    const [old] = this.#live
    if (old === undefined) throw new Error('There is no process')
    if (isAnnounced) {
      this.#live.shift()
      // What was just given to it is on its way.
      await pause(100)
    }
    await this.#end(old)
    if (!isAnnounced) this.#live.shift()
  }

  async #end(worker: Worker): Promise<void> {
    const { handled, milliseconds, code } = await worker.end()
    assert.equal(code, 0)
    assert.deepEqual(worker.said, [])
    this.ends.add(milliseconds)
    this.handled += handled
  }

  // A connection that is refused, or closed before a byte came back, is asked again elsewhere, as every balancer does.
  async #ask(turn: number): Promise<void> {
    const line = LINES[turn % LINES.length] ?? LINES[0]
    for (let attempt = 0; ; attempt++) {
      const worker = this.#live[(turn + attempt) % this.#live.length]
      if (worker === undefined) throw new Error('There is no process')
      try {
        const { status, body } = await send(worker, line, line.startsWith('POST') ? { a: 'é&' } : undefined)
        if (status === 200 && body === BODIES[line]) this.answered++
        else this.dropped.push(`${line}: ${status} ${body}`)
        return
      } catch (error) {
        const isUnanswered = error instanceof Error && 'code' in error && attempt < 50
        if (!isUnanswered) {
          this.dropped.push(`${line}: ${String(error)}`)
          return
        }
        this.repeated++
        await pause(2)
      }
    }
  }
}

// At once, for one of them waits for ten seconds and does nothing.
describe('processes that are replaced under load', { concurrency: true }, () => {
  for (const isAnnounced of [true, false]) {
    const how = isAnnounced ? 'a balancer that is told before' : 'clients that are told nothing'
    it(`SIGTERM drops none of the pending requests, before ${how} [R-28]`, async (t) => {
      const requests = sized(600, 10_000)
      const cluster = await Cluster.start(2)

      await cluster.run(requests, sized(2, 10), isAnnounced)

      const lost = cluster.handled - cluster.answered
      const counts = `${cluster.dropped.length} and ${lost} of ${cluster.answered}; sent again: ${cluster.repeated}`
      figure(t, 'R-28', {
        what: `dropped, and handled without an answer, before ${how}`,
        value: counts,
        goal: '0 of 10,000',
      })
      figure(t, 'R-28', {
        what: 'slowest end',
        value: `${cluster.ends.most.toFixed(0)} ms`,
        goal: 'at most 10 s',
      })
      assert.deepEqual(cluster.dropped, [])
      assert.equal(lost, 0)
      assert.ok(cluster.ends.most < 12_000)
    })
  }

  it('a request that never ends is abandoned after ten seconds, and the process ends [R-28]', async (t) => {
    const worker = await Worker.start()
    const socket = connect(worker.port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(
      'POST /page/form HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 100\r\n\r\na=1',
    )
    await pause(100)

    const { milliseconds, code } = await worker.end()

    figure(t, 'R-28', {
      what: 'end with a request that never ends',
      value: `${milliseconds.toFixed(0)} ms`,
      goal: 'at most 10 s',
    })
    assert.equal(code, 0)
    assert.ok(milliseconds > 5000 && milliseconds < 15_000, `${milliseconds} ms`)
    socket.destroy()
  })
})

describe('uncaught errors', () => {
  it('an uncaught exception or an unhandled rejection of any test fails its run [R-71]', async (t) => {
    const folder = mkdtempSync(join(tmpdir(), 'sallyport-uncaught-'))
    t.after(() => rmSync(folder, { recursive: true, force: true }))
    for (const [what, code] of Object.entries({
      nothing: '',
      rejection: "Promise.reject(new Error('nobody'))",
      exception: "setTimeout(() => { throw new Error('nobody') })",
    })) {
      const file = join(folder, `${what}.test.mjs`)
      const lines = [
        "import { it } from 'node:test'",
        'import { setTimeout as pause } from "node:timers/promises"',
      ]
      writeFileSync(file, `${lines.join('\n')}\nit('x', async () => { ${code}\nawait pause(20) })\n`)
      // A run inside of a run would report to the outer one.
      const { NODE_TEST_CONTEXT: _, ...env } = process.env
      const child = spawn(process.execPath, ['--test', file], { env, stdio: 'ignore' })
      const [status] = (await once(child, 'exit')) as [number]

      assert.equal(status, what === 'nothing' ? 0 : 1, what)
    }
  })

  it('a process survives what users and attackers send, and reveals nothing of their secrets [R-71 R-72]', async (t) => {
    const { folder, path } = await accountFile(t)
    const sessions = join(folder, 'sessions.sqlite')
    const instance = await start(t, {
      sessions,
      accounts: path,
      limits: { perChallenge: 10_000, perAccount: 10_000 },
    })
    const secrets = new Set([API_TOKEN, OPS_PASSWORD, 'canary-typed', 'canary-code'])
    const bodies: string[] = []
    const rounds = sized(6, 300)
    for (let round = 0; round < rounds; round++) await visit({ port: instance.port, secrets, bodies, round })
    instance.child.stdin?.end()
    const [code] = (await once(instance.child, 'exit')) as [number | null]

    const said = instance.said.join('')
    const leaks = [...secrets].filter((secret) => secret !== '' && said.includes(secret))
    figure(t, 'R-71', {
      what: `uncaught exceptions and unhandled rejections in ${bodies.length} answers`,
      value: code === 0 ? 0 : 'the process ended',
      goal: '0',
    })
    figure(t, 'R-72', {
      what: `canaries in what the process wrote (${said.length} characters, ${secrets.size} canaries)`,
      value: leaks.length,
      goal: '0',
    })
    assert.equal(code, 0, said)
    assert.deepEqual(leaks, [])
    const typed = [...secrets].filter((secret) => secret.startsWith('canary') || secret === API_TOKEN)
    for (const body of bodies)
      for (const secret of typed) assert.ok(!body.includes(secret), `${secret} is in an answer`)
  })
})

interface Visit {
  readonly port: number
  readonly secrets: Set<string>
  readonly bodies: string[]
  readonly round: number
}

async function visit({ port, secrets, bodies, round }: Visit): Promise<void> {
  const jar = new Jar()
  const keep = async (reply: Promise<{ body: string }>): Promise<void> => void bodies.push((await reply).body)
  for (const name of ['ada', 'root']) {
    secrets.add(passwordOf(name)).add(secretOf(name).toString('hex')).add(secretOf(name).toString('base64'))
    await keep(jar.send(port, 'GET /login'))
    await keep(jar.send(port, 'POST /login', { email: 'canary-typed', password: 'canary-typed' }))
    await keep(jar.password(port, name))
    await keep(jar.challenge(port))
    await keep(jar.send(port, 'POST /login/2fa', { code: 'canary-code' }))
    const code = codeOfStep(secretOf(name), T0 / PERIOD)
    await keep(jar.send(port, 'POST /login/2fa', { code }))
    await keep(jar.send(port, 'GET /account?password=canary-typed'))
    await keep(jar.send(port, 'GET /%ff?token=canary-typed'))
    await keep(jar.send(port, 'POST /account/email', { email: 'canary-typed', _method: 'canary-typed' }))
    await keep(jar.send(port, 'POST /logout'))
  }
  for (const id of jar.ids) secrets.add(id)
  if (jar.token !== '') secrets.add(jar.token)
  jar.agent.destroy()
  await breakOff(port, round)
}

// Leaves in the middle of a line, a head, a body.
async function breakOff(port: number, round: number): Promise<void> {
  const text =
    'POST /login HTTP/1.1\r\nHost: app.test\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: 50\r\n\r\nemail=canary-typed&password=canary-typed'
  for (let i = 0; i < 20; i++) {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => undefined)
    await once(socket, 'connect')
    socket.write(text.slice(0, ((round * 20 + i) * 7) % text.length))
    await pause(1)
    if (i % 2 === 0) socket.destroy()
    else socket.resetAndDestroy()
  }
}
