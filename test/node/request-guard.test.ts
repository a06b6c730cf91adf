import assert from 'node:assert/strict'
import type { IncomingMessage } from 'node:http'
import { describe, it } from 'node:test'

import { RequestGuard, isHost } from '../../src/node/request-guard.ts'

interface Sent {
  readonly method?: string
  readonly url?: string
  readonly httpVersion?: string
  readonly lines?: readonly string[]
}

/** A message as node parsed it; header lines are `Name: value`. */
function message({
  method = 'GET',
  url = '/',
  httpVersion = '1.1',
  lines = ['Host: app.test'],
}: Sent): IncomingMessage {
  const rawHeaders = lines.flatMap((line) => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { method, url, httpVersion, rawHeaders } as unknown as IncomingMessage
}

const HOST = 'Host: app.test'

describe('RequestGuard.refusalOf()', () => {
  for (const [what, sent, announcesBody] of [
    ['a plain request', {}, false],
    ['a target with a query', { url: '/a//b?c=//d' }, false],
    ['a host with a port', { lines: ['HOST: app.test:65535'] }, false],
    ['HTTP/1.0 without a host', { httpVersion: '1.0', lines: [] }, false],
    ['a length', { method: 'POST', lines: [HOST, 'content-LENGTH: 5'] }, true],
    ['chunks', { method: 'POST', lines: [HOST, 'Transfer-Encoding: Chunked'] }, true],
    [
      'chunks, said twice',
      { lines: [HOST, 'Transfer-Encoding: chunked', 'Transfer-Encoding: chunked'] },
      true,
    ],
    [
      'one of each line that must not come twice',
      { lines: [HOST, 'Authorization: a', 'Content-Type: a/b'] },
      false,
    ],
    [
      'other lines twice, of any length',
      { lines: [HOST, 'Dost: a', 'Most: b', 'Cookie: a', 'Cookie: b'] },
      false,
    ],
    // Of the same length and beginning as `authorization` and `content-type`.
    [
      'names that look alike',
      { lines: [HOST, 'Authorizatiom: a', 'Authorizatiom: b', 'Content-Tipe: a'] },
      false,
    ],
    ['1,000 lines', { lines: [HOST, ...Array.from({ length: 999 }, () => 'x: y')] }, false],
  ] as const) {
    it(`admits ${what}, and knows whether a body is announced`, () => {
      const guard = new RequestGuard()

      assert.equal(guard.refusalOf(message(sent)), null)
      assert.equal(guard.announcesBody, announcesBody)
    })
  }

  for (const [what, sent, status] of [
    ['chunks in HTTP/1.0', { httpVersion: '1.0', lines: [HOST, 'Transfer-Encoding: chunked'] }, 400],
    ['a target that is not a path', { url: 'evil' }, 400],
    ['no target', { url: '' }, 400],
    ['a target of another host', { url: '//evil.test/' }, 400],
    ['a fragment', { url: '/#x' }, 400],
    ['a backslash', { url: '/a?\\' }, 400],
    ['TRACE', { method: 'TRACE' }, 405],
    ['CONNECT', { method: 'CONNECT' }, 405],
    ['over 1,000 lines', { lines: [HOST, ...Array.from({ length: 1000 }, () => 'x: y')] }, 431],
    ['no host', { lines: [] }, 400],
    ['an empty host', { lines: ['Host:'] }, 400],
    ['two hosts', { lines: [HOST, HOST] }, 400],
    ['a host in two letter cases', { lines: [HOST, 'hOST: app.test'] }, 400],
    ['two authorizations', { lines: [HOST, 'authorization: a', 'AUTHORIZATION: b'] }, 400],
    ['two types', { lines: [HOST, 'content-type: a/b', 'Content-Type: a/b'] }, 400],
    ['two lengths', { lines: [HOST, 'content-length: 1', 'Content-Length: 1'] }, 400],
    ['an encoding that is not chunked', { lines: [HOST, 'transfer-encoding: gzip'] }, 400],
    ['chunked and another encoding', { lines: [HOST, 'transfer-encoding: gzip, chunked'] }, 400],
    ['an empty encoding', { lines: [HOST, 'transfer-encoding:'] }, 400],
    ['a malformed host', { lines: ['Host: a/b'] }, 400],
  ] as const) {
    it(`refuses ${what} with ${status}, even after a valid request`, () => {
      const guard = new RequestGuard()

      for (let round = 0; round < 2; round++) {
        assert.equal(guard.refusalOf(message(sent))?.status, status)
        assert.equal(guard.refusalOf(message({})), null)
      }
    })
  }

  it('gives each reason its own message', () => {
    const guard = new RequestGuard()
    const reasons = [
      { url: 'evil' },
      { url: '/#x' },
      { method: 'TRACE' },
      { lines: [HOST, ...Array.from({ length: 1000 }, () => 'x: y')] },
      { lines: [HOST, HOST] },
      { lines: [HOST, 'content-type: a/b', 'Content-Type: a/b'] },
      { lines: [HOST, 'transfer-encoding: gzip'] },
      { lines: [] },
      { lines: ['Host: a/b'] },
    ].map((sent) => guard.refusalOf(message(sent))?.message ?? '')

    assert.equal(new Set(reasons).size, reasons.length)
    for (const reason of reasons) assert.match(reason, /^(?:The|This) [a-z -]+$/)
    assert.match(reasons[4] ?? '', /\bhost\b/)
    assert.match(reasons[5] ?? '', /\bcontent-type\b/)
  })

  it('checks each host again, though it remembers the last accepted one', () => {
    const guard = new RequestGuard()
    const statuses = ['a.test', 'a.test', 'a b', 'b.test', 'a b', 'a.test'].map(
      (host) => guard.refusalOf(message({ lines: [`Host: ${host}`] }))?.status ?? null,
    )

    assert.deepEqual(statuses, [null, null, 400, null, 400, null])
  })

  it('knows for each message whether it announces a body, whatever came before', () => {
    const guard = new RequestGuard()

    guard.refusalOf(message({ lines: [HOST, 'Content-Length: 5'] }))
    guard.refusalOf(message({}))

    assert.equal(guard.announcesBody, false)
  })
})

describe('isHost()', () => {
  for (const host of [
    'app.test',
    'APP.test:0',
    'a:65535',
    '[::1]',
    '[FD00::1.2.3.4]:80',
    "a-_~!$&'()*+,;=%41",
    'a'.repeat(261),
  ])
    it(`accepts ${host.slice(0, 40)}`, () => assert.equal(isHost(host), true))

  for (const host of [
    '',
    ':80',
    'a:',
    'a:65536',
    'a:100000',
    'a:0x5',
    'a b',
    'a/b',
    'a@b',
    'a?b',
    'a#b',
    'a\\b',
    '::1',
    '[::1',
    '::1]',
    '[::g]',
    '[]',
    '[::1]x',
    'x[::1]',
    'é',
    'a'.repeat(262),
  ])
    it(`refuses ${JSON.stringify(host.slice(0, 40))}`, () => assert.equal(isHost(host), false))
})
