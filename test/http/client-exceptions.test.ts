import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import {
  BadRequestException,
  ForbiddenException,
  HttpException,
  InvalidMethodOverrideException,
  MethodNotAllowedException,
  NotFoundException,
  PayloadTooLargeException,
  ServiceUnavailableException,
  TooManyRequestsException,
  UnauthorizedException,
  UnsupportedMediaTypeException,
} from '../../src/http/index.ts'

describe('exceptions with a status', () => {
  for (const [title, error, status] of [
    ['BadRequestException is a 400', new BadRequestException(), 400],
    [
      'InvalidMethodOverrideException is a 400 [OVR-07 OVR-08 ERR-09]',
      new InvalidMethodOverrideException(),
      400,
    ],
    ['UnauthorizedException is a 401 [ERR-03]', new UnauthorizedException('Bearer'), 401],
    ['ForbiddenException is a 403 [ERR-06]', new ForbiddenException(), 403],
    ['NotFoundException is a 404', new NotFoundException(), 404],
    ['MethodNotAllowedException is a 405', new MethodNotAllowedException(['GET']), 405],
    ['PayloadTooLargeException is a 413', new PayloadTooLargeException(), 413],
    ['TooManyRequestsException is a 429', new TooManyRequestsException(5), 429],
    ['ServiceUnavailableException is a 503', new ServiceUnavailableException(), 503],
  ] as const) {
    it(title, () => {
      assert.ok(error instanceof HttpException)
      assert.equal(error.status, status)
      assert.equal(error.name, error.constructor.name)
      assert.match(error.code, /^ERR_[A-Z_]+$/)
    })
  }

  it('each has a code of its own', () => {
    const errors = [
      new BadRequestException(),
      new InvalidMethodOverrideException(),
      new UnauthorizedException('Bearer'),
      new ForbiddenException(),
      new NotFoundException(),
      new MethodNotAllowedException([]),
      new PayloadTooLargeException(),
      new TooManyRequestsException(1),
      new ServiceUnavailableException(),
    ]

    assert.equal(new Set(errors.map(({ code }) => code)).size, errors.length)
  })

  it('each keeps the code that applications ask for', () => {
    const codes: Readonly<Record<string, HttpException>> = {
      ERR_HTTP_BAD_REQUEST: new BadRequestException(),
      ERR_HTTP_METHOD_OVERRIDE: new InvalidMethodOverrideException(),
      ERR_AUTH_UNAUTHORIZED: new UnauthorizedException('Bearer'),
      ERR_AUTH_FORBIDDEN: new ForbiddenException(),
      ERR_HTTP_NOT_FOUND: new NotFoundException(),
      ERR_HTTP_METHOD_NOT_ALLOWED: new MethodNotAllowedException([]),
      ERR_HTTP_PAYLOAD_TOO_LARGE: new PayloadTooLargeException(),
      ERR_HTTP_UNSUPPORTED_MEDIA_TYPE: new UnsupportedMediaTypeException(),
      ERR_HTTP_TOO_MANY_REQUESTS: new TooManyRequestsException(1),
      ERR_HTTP_SERVICE_UNAVAILABLE: new ServiceUnavailableException(),
    }

    for (const [code, error] of Object.entries(codes)) assert.equal(error.code, code)
    assert.equal(new ServiceUnavailableException(undefined, { code: 'ERR_A' }).code, 'ERR_A')
  })

  it('each keeps the message of the application, the cause and the headers', () => {
    const options = { cause: new Error('why'), headers: { 'X-A': '1' } }
    for (const Refusal of [
      BadRequestException,
      ForbiddenException,
      NotFoundException,
      UnsupportedMediaTypeException,
    ]) {
      const error = new Refusal('Told', options)

      assert.deepEqual([error.message, error.cause, error.headers['x-a']], ['Told', options.cause, '1'])
    }
    for (const Refusal of [
      InvalidMethodOverrideException,
      PayloadTooLargeException,
      ServiceUnavailableException,
    ])
      assert.equal(new Refusal('Told').message, 'Told')
    assert.equal(new TooManyRequestsException(1, 'Told').message, 'Told')
  })

  it('captures no stack and leaves the limit for others alone', () => {
    const limit = Error.stackTraceLimit

    const refusal = new NotFoundException()

    assert.equal(Error.stackTraceLimit, limit)
    assert.doesNotMatch(refusal.stack ?? '', /\n\s+at /)
    assert.match(new Error('x').stack ?? '', /\n\s+at /)
  })
})

describe('the message for a client', () => {
  for (const error of [
    new BadRequestException(),
    new InvalidMethodOverrideException(),
    new ForbiddenException(),
    new NotFoundException(),
    new MethodNotAllowedException(['GET']),
    new PayloadTooLargeException(),
    new UnsupportedMediaTypeException(),
    new TooManyRequestsException(1),
    new ServiceUnavailableException(),
    new UnauthorizedException('Bearer'),
  ]) {
    it(`has a default unless the application sets one: ${error.name}`, () => {
      assert.match(error.message, /^[A-Z].+ /)
      assert.equal(Object.hasOwn(error, 'cause'), false)
    })
  }

  it('says that the connection is closed when the rest of a body is not read', () => {
    assert.equal(new PayloadTooLargeException().headers['connection'], 'close')
  })

  it('is 415 for a body of another type', () => {
    const error = new UnsupportedMediaTypeException()

    assert.deepEqual([error.status, error.code], [415, 'ERR_HTTP_UNSUPPORTED_MEDIA_TYPE'])
  })

  it('allows no HEAD where there is no GET', () => {
    assert.equal(new MethodNotAllowedException(['POST']).headers['allow'], 'POST')
  })
})

describe('UnauthorizedException', () => {
  for (const challenge of ['', ' ', '\t', 'Bearer\r\nX: y', 'Bearer \u0000']) {
    it(`cannot be built with the challenge ${JSON.stringify(challenge)} [ERR-04]`, () => {
      assert.throws(() => new UnauthorizedException(challenge), TypeError)
    })
  }

  for (const challenge of [undefined, null, 5, ['Bearer'], new String('Bearer')]) {
    it(`cannot be built with a challenge that is not a string, such as ${typeof challenge} ${String(challenge)} [ERR-04]`, () => {
      assert.throws(() => new UnauthorizedException(challenge as string), {
        name: 'TypeError',
        message: /^Cannot build a 401 with the challenge .*: use one such as "Bearer"$/,
      })
    })
  }

  for (const challenge of ['Bearer', 'Basic realm="ops"', 'Bearer realm="api", error="invalid_token"']) {
    it(`carries ${challenge} unchanged [ERR-05]`, () => {
      assert.equal(new UnauthorizedException(challenge).headers['www-authenticate'], challenge)
    })
  }

  for (const challenge of ['Basic realm="a\r\nSet-Cookie: x=y"', 'Bearer\n', 'Bearer realm="\u2028"']) {
    it(`refuses ${JSON.stringify(challenge)}, which no header can hold`, () => {
      assert.throws(() => new UnauthorizedException(challenge), TypeError)
    })
  }
})

describe('UnauthorizedException', () => {
  it('is not cached, and keeps its cause', () => {
    const cause = new Error('expired')
    const error = new UnauthorizedException('Bearer', { cause })

    assert.equal(error.headers['cache-control'], 'no-store')
    assert.equal(error.cause, cause)
  })
})

describe('MethodNotAllowedException', () => {
  it('lists its methods sorted, without duplicates, HEAD after GET', () => {
    const error = new MethodNotAllowedException(['POST', 'GET', 'DELETE', 'POST'])

    assert.equal(error.headers['allow'], 'DELETE, GET, HEAD, POST')
    assert.deepEqual(error.allowedMethods, ['DELETE', 'GET', 'HEAD', 'POST'])
  })
})

describe('TooManyRequestsException', () => {
  for (const [seconds, header] of [
    [30, '30'],
    [0.2, '1'],
    [0, '1'],
    [-5, '1'],
    [2.1, '3'],
  ] as const) {
    it(`asks to wait ${header} s for ${seconds}`, () => {
      assert.equal(new TooManyRequestsException(seconds).headers['retry-after'], header)
    })
  }
})

describe('Retry-After', () => {
  for (const seconds of [NaN, Infinity, -Infinity]) {
    it(`is never ${seconds} [HOLD-49]`, () => {
      assert.throws(() => new TooManyRequestsException(seconds), RangeError)
      assert.throws(
        () => new ServiceUnavailableException(undefined, { retryAfterSeconds: seconds }),
        RangeError,
      )
    })
  }

  it('is an integer number of seconds, also in a 503', () => {
    const headers = (seconds: number): string | undefined =>
      new ServiceUnavailableException(undefined, { retryAfterSeconds: seconds }).headers['retry-after']

    assert.deepEqual([headers(0.2), headers(2.1), headers(-3), headers(60)], ['1', '3', '1', '60'])
  })
})

describe('ServiceUnavailableException', () => {
  it('asks to come back, is not cached, and keeps its cause', () => {
    const cause = new Error('refused')

    const error = new ServiceUnavailableException(undefined, { cause, retryAfterSeconds: 7 })

    assert.equal(error.headers['retry-after'], '7')
    assert.equal(error.headers['cache-control'], 'no-store')
    assert.equal(error.cause, cause)
  })
})
