import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import fc from 'fast-check'

import { ServedHosts } from '../../src/http/index.ts'
import type { ServedHostsOptions } from '../../src/http/internal.ts'

describe('ServedHosts', () => {
  for (const [options, accepted, refused] of [
    [
      { origin: 'https://app.test' },
      ['app.test', 'APP.Test', 'app.test:443', 'app.test:0443', null],
      [
        'evil.test',
        'app.test:8443',
        'app.test.',
        'www.app.test',
        'app.test.evil.test',
        'xapp.test',
        '127.0.0.1',
        '',
      ],
    ],
    [
      { origin: 'http://localhost:3000' },
      ['localhost:3000', 'LOCALHOST:3000', null],
      ['localhost', 'localhost:80'],
    ],
    [{ origin: 'http://app.test' }, ['app.test', 'app.test:80'], ['app.test:443']],
    [{ origin: 'http://[::1]:3000' }, ['[::1]:3000', '[0:0::1]:3000'], ['[::1]', '[::2]:3000', '::1']],
    [
      { origin: 'https://app.test', hosts: ['www.app.test', '10.0.0.7', 'localhost:3000', '[fd00::1]'] },
      [
        'app.test',
        'www.app.test',
        'www.app.test:81',
        '10.0.0.7:3000',
        '10.0.0.7',
        'localhost:3000',
        '[FD00:0::1]:9',
        null,
      ],
      [
        'localhost',
        'localhost:3001',
        '10.0.0.8',
        'x.www.app.test',
        'app.test@evil.test',
        'app.test/x',
        'app.test#',
      ],
    ],
    [
      { hosts: ['a.test', 'B.test:80'] },
      ['a.test', 'a.test:9', 'b.test', 'b.test:80'],
      ['b.test:81', 'c.test', null],
    ],
    [{ hosts: ['bücher.test'] }, ['xn--bcher-kva.test'], ['bucher.test']],
    [{ hosts: ['a.test:65535'] }, ['a.test:65535'], ['a.test:65536', 'a.test']],
    // A port that is left out is the one of the scheme.
    [{ origin: 'http://app.test', hosts: ['b.test:443'] }, ['b.test:443'], ['b.test']],
    [{ origin: 'https://app.test', hosts: ['b.test:80'] }, ['b.test', 'b.test:80'], ['b.test:443']],
    [{ origin: 'https://a.test', hosts: [] }, ['a.test', null], ['b.test']],
  ] as const satisfies readonly (readonly [
    ServedHostsOptions,
    readonly (string | null)[],
    readonly (string | null)[],
  ])[]) {
    it(`checks hosts against ${JSON.stringify(options)} [HOLD-09]`, () => {
      const hosts = new ServedHosts(options)

      // Twice, for the last good one is remembered.
      for (let round = 0; round < 2; round++) {
        for (const host of accepted) assert.equal(hosts.accepts(host), true, String(host))
        for (const host of refused) assert.equal(hosts.accepts(host), false, String(host))
      }
    })
  }

  it('accepts no host whose URL has another one [HOLD-09]', () => {
    const hosts = new ServedHosts({ origin: 'https://app.test', hosts: ['10.0.0.7'] })
    const piece = fc.constantFrom(
      'app',
      '.',
      'test',
      ':',
      '443',
      '80',
      '@',
      '[',
      ']',
      '%2e',
      '10.0.0.7',
      'evil',
      '/',
      ' ',
      'A',
    )

    fc.assert(
      fc.property(
        fc.array(piece, { maxLength: 8 }).map((parts) => parts.join('')),
        (host) => {
          if (!hosts.accepts(host)) return
          const url = new URL(`https://${host}/`)
          assert.ok(
            url.hostname === '10.0.0.7' || url.host === 'app.test' || url.host === 'app.test:80',
            host,
          )
        },
      ),
      { numRuns: 5000 },
    )
  })

  for (const options of [
    ...[
      '',
      'a/b',
      'a:b',
      'user@a',
      'http://a',
      '*.app.test',
      'a b',
      '::1',
      'a:99999',
      'a?b',
      '999.1.1.1',
      '[::1',
    ].map((host) => ({ hosts: [host] })),
    { hosts: [null as unknown as string] },
    { hosts: [5 as unknown as string] },
    { hosts: ['a:65536'] },
    { hosts: ['a:'] },
    { hosts: [] },
    { hosts: 'app.test' as unknown as string[] },
    { hosts: null as unknown as string[] },
    { origin: 5 as unknown as string },
    { origin: null as unknown as string },
    { origin: 'app.test' },
    { origin: 'https://app.test/path' },
    { origin: 'ftp://app.test' },
    { origin: 'wss://app.test' },
    { origin: 'https://user@app.test' },
    { origin: '' },
  ]) {
    it(`refuses ${JSON.stringify(options)} [HOLD-09]`, () => {
      assert.throws(() => new ServedHosts(options), { name: 'TypeError', message: /^Cannot serve / })
    })
  }
})
