import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { describe, it } from 'node:test'
import { LocalTarget } from 'sallyport/http'
import { serve } from 'sallyport/node'

import { COOKIE } from '../attacks/fixture/browser.ts'
import { createFixture } from '../attacks/fixture/application.ts'
import { toLocation } from '../../src/http/location.ts'
import { type Dice, fuzz, mutate } from './mutations.ts'

const ORIGIN = 'https://app.test'
const METHODS = ['GET', 'GET', 'POST', 'PUT', 'DELETE', 'HEAD', 'OPTIONS', 'PATCH', 'get', 'QUERY'] as const
const TARGETS = [
  '/',
  '/login',
  '/login/2fa',
  '/logout',
  '/account',
  '/account/go?to=/x',
  '/admin/users/1',
  '/ops',
  '/api/items/x',
  '/shop/cart/typed-int/5',
  '/boutique/panier/',
  '/fr/boutique',
  '/nowhere/at/all',
] as const
const TYPES = [
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=b',
  'application/json',
] as const
const BODIES = [
  '_csrf=x&email=ada&password=y&_method=PUT',
  '--b\r\nContent-Disposition: form-data; name="_method"\r\n\r\nDELETE\r\n--b--\r\n',
  '{"a":[1,{"b":null}],"_method":"PUT"}',
  '',
] as const

interface Sent {
  readonly method: string
  readonly target: string
  readonly headers: readonly (readonly [string, string])[]
  readonly body: string
}

function sampleOf(dice: Dice): Sent {
  const headers: [string, string][] = []
  const lines = [
    ['accept', 'text/html, application/json;q=0.9'],
    ['accept-language', 'fr-CH, en;q=0.5'],
    ['authorization', `Basic ${Buffer.from('ops:secret').toString('base64')}`],
    ['authorization', 'Bearer abc'],
    ['cookie', `${COOKIE}=${'a'.repeat(43)}; a=1`],
    ['content-type', dice.pick(TYPES)],
    ['x-http-method-override', 'PUT'],
    ['x-csrf-token', 'a'.repeat(86)],
    ['x-forwarded-for', '10.0.0.1, 1.1.1.1'],
    ['x-forwarded-host', 'evil.test'],
    ['expect', '100-continue'],
    ['if-none-match', '"x"'],
    ['range', 'bytes=0-5,9-'],
  ] as const
  for (const [name, value] of lines) if (dice.once(2)) headers.push([name, octets(sometimes(value, dice))])
  return {
    method: dice.pick(METHODS),
    target: octets(sometimes(dice.pick(TARGETS), dice)),
    headers,
    body: octets(sometimes(dice.pick(BODIES), dice)),
  }
}

describe('fuzzing of paths and targets', () => {
  it('a path: one of four outcomes, twice the same', async (t) => {
    const { app } = createFixture({ profile: 'REMOVE' })
    await app.boot()
    const router = app.router()
    await fuzz(t, {
      name: 'path',
      sample: (dice) => ({
        method: dice.pick(METHODS),
        path: sometimes(sometimes(dice.pick(TARGETS), dice), dice),
      }),
      check: async ({ method, path }) => {
        const match = await router.resolve(method, path)
        assert.equal((await router.resolve(method, path)).kind, match.kind)
        assert.ok(['found', 'redirect', 'methodNotAllowed', 'badRequest', 'notFound'].includes(match.kind))
        // oxlint-disable-next-line no-control-regex
        if (/[\u0000-\u001f\u007f-\u009f]/.test(path)) assert.equal(match.kind, 'badRequest')
        if (match.kind === 'redirect') assert.match(match.location, /^\/(?!\/)[\u0021-\u007e]*$/)
        return match.kind === 'found' || match.kind === 'redirect'
      },
    })
  })

  it('a return address: a place on this origin, or none', async (t) => {
    await fuzz(t, {
      name: 'return address',
      sample: (dice) => {
        const target = dice.pick([
          '/a/b?c=d#e',
          '/',
          '//evil.test',
          '/\\evil.test',
          'https://evil.test/',
          '/a/../b',
        ])
        return mutate(target, dice)
      },
      check: (text) => {
        const target = LocalTarget.parse(text)
        if (target === undefined) return false
        for (const value of [target.value, decodeURI(target.value)]) {
          const url = new URL(value, `${ORIGIN}/deep/page`)
          assert.equal(url.origin, ORIGIN, value)
        }
        assert.match(target.value, /^\/(?![/\\])[\u0021-\u007e]*$/)
        assert.equal(toLocation(target.value), target.value)
        return true
      },
    })
  })
})

describe('fuzzing of whole requests', () => {
  it('as Web requests: never an internal error', async (t) => {
    const { app, log } = createFixture()
    await fuzz(t, {
      name: 'Web request',
      sample: sampleOf,
      check: async ({ method, target, headers, body }) => {
        let request: Request
        try {
          const sendsBody = !/^(?:GET|HEAD)$/i.test(method)
          request = new Request(ORIGIN + target, {
            method,
            headers: headers.map(([name, value]): [string, string] => [name, value]),
            ...(sendsBody ? { body: Buffer.from(body, 'latin1') } : {}),
          })
        } catch {
          // The platform refuses it: no application would see it.
          return false
        }
        const response = await app.fetch(request)
        await response.bytes()
        assert.ok(response.status < 500, String(response.status))
        assert.deepEqual(log, [])
        return response.status < 400
      },
    })
  })

  it('as bytes on a socket: a response that is not an internal error, or a closed connection', async (t) => {
    const { app, log } = createFixture()
    const server = await serve(app, { port: 0, signals: [], trustedProxies: { addresses: ['127.0.0.1'] } })
    t.after(() => server.close())
    await fuzz(t, {
      name: 'octets on a socket',
      sample: (dice) => {
        const { method, target, headers, body } = sampleOf(dice)
        const lines = headers.map(([name, value]) => `${name}: ${value}`)
        const length = dice.once(4) ? 'Transfer-Encoding: chunked' : `Content-Length: ${body.length}`
        const head = [`${method} ${target} HTTP/1.1`, 'Host: app.test', length, ...lines, '', ''].join('\r\n')
        return dice.once(3) ? octets(mutate(head + body, dice)) : head + body
      },
      check: async (text) => {
        const answer = await exchange(server.port, text)
        const statuses = [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map(([, status]) => Number(status))
        for (const status of statuses) assert.ok(status < 500, String(status))
        assert.deepEqual(log, [])
        return statuses.some((status) => status >= 200 && status < 400)
      },
    })
    assert.equal((await fetch(server.url)).status, 200)
  })
})

function sometimes(text: string, dice: Dice): string {
  return dice.once(2) ? text : mutate(text, dice)
}

function octets(text: string): string {
  return Buffer.from(text).toString('latin1')
}

// Ends its side at once, so that a request that is not whole ends too.
function exchange(port: number, text: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = ''
    const socket = connect(port, '127.0.0.1')
    socket.setEncoding('latin1').on('data', (chunk: string) => (answer += chunk))
    // A server that refuses a head resets a connection that still sends.
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(answer))
    socket.end(Buffer.from(text, 'latin1'))
  })
}
