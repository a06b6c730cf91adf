import assert from 'node:assert/strict'
import { Agent, type IncomingMessage, request as httpRequest } from 'node:http'
import { describe, it } from 'node:test'

import { serve } from 'sallyport/node'

import { exchange, parse } from '../node/raw.ts'
import { figure, sized, NONE } from './figure.ts'
import { build } from './paths/build.ts'
import { generateApplication, OTHER_PROFILES, PROFILES } from './paths/generate.ts'
import { Random, seedOf } from './paths/random.ts'
import { type Asked, generateRequest } from './paths/urls.ts'

const SEED = seedOf('PATHS_SEED')
const REQUESTS = sized(800, 100_000)
const PER_APPLICATION = sized(100, 1000)
const ORIGIN = 'http://app.test'
const QUERIES = ['', '', '?a=1&b=%20', '?next=//evil.test&x=%zz', '?'] as const
// What belongs to the connection and not to the answer.
const OF_THE_CONNECTION = new Set(['date', 'connection', 'keep-alive', 'transfer-encoding'])
// Encoded, it is still shorter than the head that node refuses.
const LONGEST = 900

/** An answer as both adapters can give it. */
interface Said {
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

function comparable(status: number, headers: Iterable<readonly [string, string]>, body: string): Said {
  return { status, headers: [...headers].filter(([name]) => !OF_THE_CONNECTION.has(name)).sort(), body }
}

/** What is no visible character of ASCII: no URL holds it, and node's parser answers 400 to it. */
const FOREIGN = /[^\u0021-\u007e]/

/** Sends a request over the wire; text goes as its bytes. */
async function askServer(agent: Agent, port: number, { method, path }: Asked): Promise<Said> {
  if (FOREIGN.test(path)) {
    // No client of HTTP sends these, so they are written by hand.
    const text = `${method} ${path} HTTP/1.1\r\nhost: app.test\r\nconnection: close\r\n\r\n`
    return { status: parse(await exchange(port, Buffer.from(text))).status, headers: [], body: '' }
  }
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { host: 'app.test' }
    const sent = httpRequest({ agent, port, host: '127.0.0.1', method, path, headers }, resolve)
    sent.once('error', reject)
    sent.end()
  })
  const chunks: Buffer[] = []
  for await (const chunk of response) chunks.push(chunk as Buffer)
  const headers = Object.entries(response.headers).flatMap(([name, value]) =>
    [value ?? []].flat().map((each) => [name, each] as const),
  )
  return comparable(response.statusCode ?? 0, headers, Buffer.concat(chunks).toString())
}

/** Whether the platform's URL keeps the target: it resolves dots, drops fragments and turns backslashes. */
function keeps(target: string): boolean {
  const url = URL.parse(ORIGIN + target)
  if (url === null || FOREIGN.test(target)) return false
  const escaped = (text: string): string => text.replaceAll(/["<>^`{|}]/g, encodeURIComponent)
  return escaped(url.pathname + url.search) === escaped(target).replace(/\?$/, '')
}

/** Characters beyond ASCII are encoded by every client. */
function encoded(path: string): string {
  return path.replaceAll(/[\u00a0-\ud7ff\ue000-\uffff]|[\ud800-\udbff][\udc00-\udfff]/g, encodeURIComponent)
}

interface Counts {
  same: number
  refused: number
}

async function compare(
  asked: Asked,
  given: { app: Awaited<ReturnType<typeof build>>['app']; agent: Agent; port: number; counts: Counts },
): Promise<void> {
  const { app, agent, port, counts } = given
  const { method, path } = asked
  const raw = await askServer(agent, port, asked)
  if (!keeps(path)) {
    // The platform hides what was sent, so there is nothing to compare but that it is refused here.
    assert.ok(raw.status === 400 || raw.status === 404, `${raw.status}`)
    counts.refused++
    return
  }
  const web = await app.fetch(new Request(ORIGIN + path, { method }))
  const said = comparable(web.status, web.headers, await web.text())
  // Documented: a target that begins with two slashes is refused before the application sees it.
  if (raw.status === 400 && path.startsWith('//')) {
    assert.ok(web.status === 400 || web.status === 404, `${web.status}`)
    counts.refused++
    return
  }
  assert.deepEqual(raw, said)
  counts.same++
}

describe('the adapters', () => {
  it('serve() and app.fetch() answer the same requests alike, or serve() answers 400 or 404 [R-56]', async (t) => {
    const counts: Counts = { same: 0, refused: 0 }
    for (let index = 0; counts.same + counts.refused < REQUESTS; index++) {
      const random = new Random(SEED + index * 15_485_863)
      const draft = generateApplication(random, random.pick([...PROFILES, ...OTHER_PROFILES]))
      const { app } = await build(draft)
      const agent = new Agent({ keepAlive: true, maxSockets: 1 })
      const server = await serve(app, { port: 0, signals: [] })
      try {
        for (let turn = 0; turn < PER_APPLICATION; turn++) {
          const { method, path } = generateRequest(random, draft)
          const asked = { method, path: encoded(path.slice(0, LONGEST)) + random.pick(QUERIES) }
          try {
            await compare(asked, { app, agent, port: server.port, counts })
          } catch (error) {
            const where = `PATHS_SEED=${SEED}, application ${index}, request ${turn}: ${method} ${JSON.stringify(asked.path)}`
            throw new Error(`${where}\n${JSON.stringify(draft)}`, { cause: error })
          }
        }
      } finally {
        agent.destroy()
        await server.close()
      }
    }

    const what = `of ${counts.same} answers that differ, ${counts.refused} more refused by the server (seed ${SEED})`
    figure(t, 'R-56', { what, value: NONE, goal: '0 but documented 400' })
  })
})
