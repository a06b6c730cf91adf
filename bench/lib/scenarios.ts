/**
 * The scenarios. Each one first checks that a server responds correctly, then returns the requests to load it with.
 *
 * @module
 */
import assert from 'node:assert/strict'

import { makeTable } from './table.ts'
import { type Answer, type Ask, Visitor } from './client.ts'

/** A scenario of README.md. */
export interface Scenario {
  readonly number: number
  readonly title: string
  /** Goal of the design: processor time relative to raw node:http. */
  readonly goal: number
  /** Whether a Redis server is started for it. Default: false. */
  readonly needsRedis?: boolean
  /** Who plays it. Default: everybody. */
  readonly contestants?: readonly string[]
  /**
   * Checks a server.
   *
   * @param port Where it listens.
   * @returns The requests to load it with.
   * @throws {assert.AssertionError} If a response is wrong.
   */
  prepare(port: number): Promise<Load>
}

/** What the load generator sends, in turn on each connection. */
export interface Load {
  readonly requests: readonly Ask[]
  /** The status of every response. */
  readonly status: number
}

/** Number of connections, and of signed-in visitors. */
export const connections = 32

/** All scenarios, by their numbers. */
export const scenarios: readonly Scenario[] = [
  { number: 1, title: 'text', goal: 1.1, prepare: prepareText },
  { number: 2, title: 'one placeholder, JSON', goal: 1.1, prepare: preparePlaceholder },
  { number: 3, title: '300 routes, JSON', goal: 1.1, prepare: prepareTable },
  { number: 4, title: 'session, user, permission, JSON', goal: 1.45, prepare: prepareSession },
  { number: 5, title: 'the same, sessions in Redis', goal: 1.5, needsRedis: true, prepare: prepareSession },
  { number: 6, title: 'form, CSRF token, session written, 303', goal: 1.6, prepare: prepareForm },
  {
    number: 8,
    title: 'signed-in page: layout, parts, twelve rows, form with a token',
    goal: 1.7,
    contestants: ['raw', 'page'],
    prepare: preparePage,
  },
]

async function prepareText(port: number): Promise<Load> {
  const visitor = new Visitor(port)

  const found = await visitor.send({ path: '/hello' })
  const missing = await visitor.send({ path: '/hello/nobody' })

  assert.equal(found.status, 200)
  assert.equal(found.body, 'Hello, world!')
  assert.match(found.headers.get('content-type') ?? '', /^text\/plain/)
  assert.equal(missing.status, 404)
  return { requests: [{ path: '/hello' }], status: 200 }
}

async function preparePlaceholder(port: number): Promise<Load> {
  const visitor = new Visitor(port)
  for (const id of ['7', 'a b', 'é', 'x/y']) {
    const answer = await visitor.send({ path: `/users/${encodeURIComponent(id)}` })

    assert.deepEqual(jsonOf(answer, 200), { id, name: `User ${id}` })
  }
  return { requests: numbers(24).map((number) => ({ path: `/users/${number * 7919}` })), status: 200 }
}

async function prepareTable(port: number): Promise<Load> {
  const visitor = new Visitor(port)
  const requests: Ask[] = []
  for (const { id, method, path } of makeTable()) {
    const values: Record<string, string> = {}
    const filled = path.replaceAll(/:(\w+)/g, (_, name: string) => (values[name] = `${id + name.length}`))

    const answer = await visitor.send({ method, path: filled })

    assert.deepEqual(jsonOf(answer, 200), { route: id, params: values }, `${method} ${filled}`)
    if (method === 'GET' && path.endsWith('/comments')) requests.push({ path: filled })
  }
  const wrongMethod = await visitor.send({ method: 'DELETE', path: requests[0]?.path ?? '' })
  const missing = await visitor.send({ path: '/account/items' })
  assert.ok([404, 405].includes(wrongMethod.status), `a wrong method answered ${wrongMethod.status}`)
  assert.ok([404, 405].includes(missing.status), `an unknown path answered ${missing.status}`)
  return { requests, status: 200 }
}

async function prepareSession(port: number): Promise<Load> {
  const anonymous = await new Visitor(port).send({ path: '/me' })
  assert.equal(anonymous.status, 401, 'an anonymous visitor')

  const barred = new Visitor(port)
  await barred.logIn('u7')
  assert.equal((await barred.send({ path: '/me' })).status, 403, 'a visitor without the permission')

  const requests: Ask[] = []
  for (const number of numbers(connections).map((each) => each * 2)) {
    const visitor = new Visitor(port)
    await visitor.logIn(`u${number}`)

    const answer = await visitor.send({ path: '/me' })

    const permissions = ['article.read', 'article.write']
    assert.deepEqual(jsonOf(answer, 200), { id: `u${number}`, name: `User ${number}`, permissions })
    requests.push({ path: '/me', headers: visitor.cookie })
  }

  const damaged = (requests[0]?.headers?.['cookie'] ?? '').replace(/=(.{8}).{8}/, '=$1AAAAAAAA')
  const refused = await new Visitor(port).send({ path: '/me', headers: { cookie: damaged } })
  assert.equal(refused.status, 401, 'a damaged cookie')
  return { requests, status: 200 }
}

async function prepareForm(port: number): Promise<Load> {
  const requests: Ask[] = []
  for (const number of numbers(connections)) {
    const visitor = new Visitor(port)
    await visitor.logIn(`u${number * 2}`)
    const token = fieldOf(jsonOf(await visitor.send({ path: '/form' }), 200), 'csrf')
    const fields = { title: `Title ${number}`, body: 'some words of a text, '.repeat(5) }
    if (number === 0) await assertGuarded(visitor, fields)

    const answer = await visitor.submit('/form', { _csrf: token, ...fields })

    assert.equal(answer.status, 303, answer.body.slice(0, 200))
    assert.match(answer.headers.get('location') ?? '', /\/form\/done$/)
    assert.deepEqual(jsonOf(await visitor.send({ path: '/form/state' }), 200), {
      count: 1,
      title: fields.title,
    })
    requests.push(visitor.formAsk('/form', { _csrf: token, ...fields }))
  }
  return { requests, status: 303 }
}

async function preparePage(port: number): Promise<Load> {
  assert.notEqual((await new Visitor(port).send({ path: '/page' })).status, 200, 'an anonymous visitor')
  const requests: Ask[] = []
  for (const number of numbers(connections)) {
    const visitor = new Visitor(port)
    await visitor.logIn(`u${number * 2}`)
    // The first visit may make the secret of the tokens.
    await visitor.send({ path: '/page' })

    const { status, headers, body } = await visitor.send({ path: '/page' })

    assert.equal(status, 200, body.slice(0, 200))
    assert.match(headers.get('content-type') ?? '', /^text\/html/)
    assert.match(body, /^<!doctype html>/)
    assert.ok(body.includes(`<title>Account of User ${number * 2}</title>`), 'the title')
    assert.equal(body.split('<li class="event">').length, 13, 'the rows')
    assert.ok(
      body.includes('Signed in &lt;b&gt;from&lt;/b&gt; &quot;browser&quot; &amp; phone 7'),
      'escaped text',
    )
    for (const path of ['/', '/page', '/articles/17']) assert.ok(body.includes(`href="${path}"`), path)
    assert.match(
      body,
      /<form method="post" action="\/logout">\s*<input type="hidden" name="_csrf" value="[^"]{16,}">/,
    )
    requests.push({ path: '/page', headers: visitor.cookie })
  }
  return { requests, status: 200 }
}

/** A form without the token, or with a forged one from another site, must change nothing. */
async function assertGuarded(visitor: Visitor, fields: Readonly<Record<string, string>>): Promise<void> {
  const forged = visitor.formAsk('/form', { _csrf: 'forged', ...fields })
  const foreign = { ...forged.headers, origin: 'http://evil.example', 'sec-fetch-site': 'cross-site' }

  const answers = [await visitor.submit('/form', fields), await visitor.send({ ...forged, headers: foreign })]

  for (const { status } of answers)
    assert.ok(status >= 400 && status < 500, `a forged form answered ${status}`)
  assert.equal(fieldOf(jsonOf(await visitor.send({ path: '/form/state' }), 200), 'count'), '0')
}

function jsonOf({ status, headers, body }: Answer, expected: number): unknown {
  assert.equal(status, expected, body.slice(0, 200))
  assert.match(headers.get('content-type') ?? '', /^application\/json/)
  return JSON.parse(body)
}

function fieldOf(value: unknown, name: string): string {
  assert.ok(typeof value === 'object' && value !== null, 'the response is not an object')
  return String(Reflect.get(value, name))
}

function numbers(count: number): number[] {
  return Array.from({ length: count }, (_, number) => number)
}
