import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { HttpException } from '../../src/http/index.ts'

const build = (status: number, headers?: Record<string, string>): HttpException =>
  new HttpException(status, 'ERR_SHOP_CLOSED', 'Closed', headers === undefined ? {} : { headers })

describe('HttpException', () => {
  for (const status of [400, 418, 451, 499, 500, 599]) {
    it(`may have the status ${status}`, () => {
      assert.equal(build(status).status, status)
    })
  }

  for (const status of [
    0,
    100,
    101,
    199,
    200,
    204,
    299,
    300,
    302,
    304,
    600,
    1000,
    -400,
    404.5,
    NaN,
    Infinity,
  ]) {
    it(`cannot have the status ${status} [HOLD-49]`, () => {
      assert.throws(() => build(status), RangeError)
      assert.throws(() => build(`${status}` as unknown as number), RangeError)
    })
  }

  it('may be a redirect with a location', () => {
    assert.equal(build(307, { Location: '/other' }).headers['location'], '/other')
    assert.throws(() => build(200, { location: '/other' }), RangeError)
  })

  for (const [name, value] of [
    ['x-reason', 'a\r\nset-cookie: b=c'],
    ['x-reason', 'a\nb'],
    ['x-reason', 'a\0'],
    ['x-reason', 'Łódź'],
    ['x-reason', 5 as unknown as string],
    ['x-reason', undefined as unknown as string],
    ['', 'a'],
    ['x reason', 'a'],
    ['x-reason:', 'a'],
    ['x\r\nset-cookie', 'a'],
    ['é', 'a'],
    ['content-length', '5'],
    ['Transfer-Encoding', 'chunked'],
    ['Content-Type', 'text/html'],
  ] as const) {
    it(`cannot have the header ${JSON.stringify(name)} of ${JSON.stringify(value)} [HOLD-49]`, () => {
      assert.throws(() => build(403, { [name]: value }), TypeError)
    })
  }

  it('has its headers by lower-case name, unaffected by later changes of the argument', () => {
    const given = { 'X-Reason': 'a', 'retry-after': '5' }

    const error = build(429, given)
    given['X-Reason'] = 'b'

    assert.deepEqual({ ...error.headers }, { 'x-reason': 'a', 'retry-after': '5' })
  })

  it('cannot be a 401 without a challenge', () => {
    assert.throws(() => build(401), TypeError)
    assert.equal(build(401, { 'WWW-Authenticate': 'Bearer' }).headers['www-authenticate'], 'Bearer')
  })
})
