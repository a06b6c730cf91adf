import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { BadRequestException, NotFoundException } from 'sallyport/http'

const messages: Readonly<Record<string, unknown>> = {
  'an object that cannot be a string': { toString: 1 },
  'an object without a prototype': Object.create(null) as object,
  'a symbol': Symbol('message'),
  'a number': 5,
}

describe('an exception that cannot be built', () => {
  for (const [what, message] of Object.entries(messages)) {
    it(`names ${what} as its message, and leaves the stacks of other errors alone [HOLD-35]`, () => {
      const before = Error.stackTraceLimit

      assert.throws(
        () => new BadRequestException(message as string),
        /^TypeError: Cannot refuse a request with .+ as the message: pass a string$/,
      )
      assert.equal(Error.stackTraceLimit, before)
    })
  }

  it('leaves them alone even when its cause cannot be read [HOLD-35]', () => {
    const before = Error.stackTraceLimit
    const options = {
      get cause(): never {
        throw new RangeError('no cause')
      },
    }

    assert.throws(() => new NotFoundException('Gone', options as ErrorOptions), /no cause/)
    assert.equal(Error.stackTraceLimit, before)
  })
})
