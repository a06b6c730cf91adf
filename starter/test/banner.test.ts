import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { banner, type BannerFacts } from '../core/boot/banner.ts'

const FACTS: BannerFacts = {
  url: 'http://localhost:3000',
  listensOn: 'http://0.0.0.0:3000',
  dataDirectory: '/data',
  demo: undefined,
  isProduction: false,
  hasMailbox: true,
  isReachable: true,
}

describe('banner()', () => {
  it('says where the mailbox is, and that it is closed to others where they reach the server', () => {
    const lines = banner(FACTS, process.stdout)

    assert.match(lines, /its mail: http:\/\/localhost:3000\/dev\/mail/)
    assert.match(lines, /mailbox at \/dev\/mail answers this machine only/)
  })

  it('says nothing of others where nobody reaches the server, and nothing of a mailbox where there is none', () => {
    assert.doesNotMatch(banner({ ...FACTS, isReachable: false }, process.stdout), /this machine only/)
    assert.doesNotMatch(banner({ ...FACTS, hasMailbox: false }, process.stdout), /mail/)
  })
})
