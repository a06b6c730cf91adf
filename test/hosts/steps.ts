import assert from 'node:assert/strict'
import { setTimeout as pause } from 'node:timers/promises'

import type { Visitor } from './visitor.ts'

/** Where the program runs, and what its host is known to tell. */
export interface Place {
  /** Address of the host, without a path. */
  readonly origin: string
  /** The path below which the program is mounted, or an empty string. */
  readonly mount: string
  /** The client's address as the program must see it; empty where the host does not know it. */
  readonly address: string
  /** Whether the host has a page of its own that only signed-in users see. */
  readonly guardsPage: boolean
}

/** One thing that the program must do on every host. */
export interface Step {
  readonly name: string
  /** Uses the visitor of the steps before it. */
  readonly take: (visitor: Visitor, place: Place) => Promise<void>
}

const PASSWORD = 'correct horse'

async function assertSentTo(response: Response, path: string, { mount }: Place): Promise<void> {
  await response.body?.cancel()
  assert.deepEqual([response.status, response.headers.get('location')], [303, mount + path])
}

async function assertStatus(response: Response, status: number): Promise<void> {
  const text = await response.text()
  assert.equal(response.status, status, text.slice(0, 300))
}

/** Whether the page of the host lets the visitor in; it is outside of the mount. */
async function seesHostPage(visitor: Visitor): Promise<boolean> {
  const response = await visitor.sendToHost('/host-page')
  const text = await response.text()
  assert.ok(response.status === 200 || response.status === 303, text.slice(0, 300))
  return text === 'The page of the host for Ada'
}

async function departures(visitor: Visitor): Promise<number> {
  return ((await visitor.json('/departures')) as { count: number }).count
}

async function firstEvent(response: Response): Promise<string> {
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (!text.includes('data: first\n\n')) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
    if (done) break
    text += value
  }
  return text
}

/** All steps, in their order. */
export const steps: readonly Step[] = [
  {
    name: 'page',
    async take(visitor, { mount }) {
      const response = await visitor.send('/')
      assert.equal(await response.text(), `<a href="${mount}/account">Account</a>`)
      assert.equal(response.headers.get('x-content-type-options'), 'nosniff')
    },
  },
  {
    name: 'HEAD',
    async take(visitor) {
      const response = await visitor.send('/', { method: 'HEAD' })
      assert.deepEqual([response.status, await response.text()], [200, ''])
    },
  },
  {
    name: 'guard',
    async take(visitor, place) {
      await assertSentTo(await visitor.send('/account'), '/sign-in', place)
    },
  },
  {
    name: 'form without a token',
    async take(visitor) {
      const body = new URLSearchParams({ password: PASSWORD })
      await assertStatus(await visitor.send('/sign-in', { method: 'POST', body }), 403)
    },
  },
  {
    name: 'wrong password',
    async take(visitor) {
      await assertStatus(await visitor.submit('/sign-in', { password: 'wrong' }), 422)
    },
  },
  {
    name: 'right password, and no way past the second factor',
    async take(visitor, place) {
      await assertSentTo(await visitor.submit('/sign-in', { password: PASSWORD }), '/code', place)
      await assertSentTo(await visitor.send('/account'), '/sign-in', place)
    },
  },
  {
    name: 'no page of the host before the code',
    async take(visitor, { guardsPage }) {
      if (guardsPage) assert.equal(await seesHostPage(visitor), false)
    },
  },
  {
    name: 'wrong code',
    async take(visitor, place) {
      await assertStatus(await visitor.submit('/code', { code: '000000' }), 422)
      await assertSentTo(await visitor.send('/account'), '/sign-in', place)
    },
  },
  {
    name: 'sign-in with a new identifier',
    async take(visitor, place) {
      const before = visitor.cookies
      await assertSentTo(await visitor.submit('/code', { code: '123456' }), '/account', place)
      assert.equal(visitor.cookies.length, 1)
      assert.notDeepEqual(visitor.cookies, before)
    },
  },
  {
    name: 'page of the host, after sign-in',
    async take(visitor, { guardsPage }) {
      if (guardsPage) assert.equal(await seesHostPage(visitor), true)
    },
  },
  {
    name: 'flash message, once',
    async take(visitor) {
      assert.deepEqual(await visitor.json('/account'), { messages: ['Welcome'] })
      assert.deepEqual(await visitor.json('/account'), { messages: [] })
    },
  },
  {
    name: 'upload',
    async take(visitor) {
      const body = new FormData()
      body.set('_csrf', await visitor.token())
      body.set('picture', new File([new Uint8Array(70_000)], 'Ä.bin'))
      const response = await visitor.send('/upload', { method: 'POST', body })
      assert.deepEqual(await response.json(), { name: 'Ä.bin', size: 70_000 })
    },
  },
  {
    name: 'event stream, ended when the client leaves',
    async take(visitor) {
      const before = await departures(visitor)
      const leaving = new AbortController()
      const response = await visitor.send('/events', { signal: leaving.signal })
      assert.equal(response.headers.get('content-type'), 'text/event-stream')
      assert.match(await firstEvent(response), /data: first\n\n/)
      leaving.abort()
      // A host may notice late, but it has to.
      while ((await departures(visitor)) === before) await pause(20)
    },
  },
  {
    name: 'address of the client',
    async take(visitor, { address }) {
      assert.deepEqual(await visitor.json('/client'), { address, isSecure: false })
    },
  },
  {
    name: 'languages',
    async take(visitor) {
      assert.equal(await (await visitor.send('/de/begruessung')).text(), 'de')
      assert.equal(await (await visitor.send('/en/greetings')).text(), 'en')
    },
  },
  {
    name: '404',
    async take(visitor) {
      await assertStatus(await visitor.send('/nowhere'), 404)
    },
  },
  {
    name: '405',
    async take(visitor) {
      const response = await visitor.send('/client', { method: 'DELETE' })
      await assertStatus(response, 405)
      assert.equal(response.headers.get('allow'), 'GET, HEAD')
    },
  },
  {
    name: '308 to the path without a slash',
    async take(visitor, { mount }) {
      const response = await visitor.send('/client/?a=1')
      await assertStatus(response, 308)
      assert.equal(response.headers.get('location'), `${mount}/client?a=1`)
    },
  },
  {
    name: 'languages: a redirect to the prefix',
    async take(visitor, { mount }) {
      const response = await visitor.send('/begruessung')
      await response.body?.cancel()
      assert.equal(response.headers.get('location'), `${mount}/de/begruessung`)
    },
  },
  {
    name: 'sign-out',
    async take(visitor, place) {
      const response = await visitor.submit('/sign-out')
      await response.body?.cancel()
      assert.equal(response.status, 303)
      await assertSentTo(await visitor.send('/account'), '/sign-in', place)
    },
  },
]
