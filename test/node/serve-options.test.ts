import assert from 'node:assert/strict'
import { describe, it } from 'node:test'

import { App } from 'sallyport'

import { assertServe, type ServeOptions } from '../../src/node/serve-options.ts'

function check(app: unknown, options: unknown): () => void {
  return () => assertServe(app as App, options as ServeOptions)
}

describe('assertServe()', () => {
  for (const options of [
    {},
    { port: 0 },
    { port: 65_535 },
    { host: '0.0.0.0' },
    { host: '::' },
    { signals: [] },
    { signals: ['SIGTERM', 'SIGHUP'] },
    { drainMilliseconds: 0 },
    { drainMilliseconds: 0.5 },
    { drainMilliseconds: 2 ** 31 - 1 },
    {
      port: 1,
      host: 'a',
      origin: 'https://app.test',
      hosts: [],
      trustedProxies: { addresses: [] },
      signals: [],
      drainMilliseconds: 1,
    },
    Object.fromEntries(
      ['port', 'host', 'origin', 'hosts', 'trustedProxies', 'signals', 'drainMilliseconds'].map((name) => [
        name,
        undefined,
      ]),
    ),
  ])
    it(`accepts ${JSON.stringify(options)} [HOLD-35]`, () =>
      assert.doesNotThrow(check(App.create(), options)))

  for (const [options, message] of [
    [{ port: -1 }, /^Cannot listen on the port -1: .*from 0 to 65535 \(/],
    [{ port: 65_536 }, /port 65536/],
    [{ port: 1.5 }, /port 1\.5/],
    [{ port: NaN }, /port NaN/],
    [{ port: '80' }, /port "80"/],
    [{ port: [80] }, /^Cannot listen on the port /],
    [{ port: null }, /port null/],
    [{ host: '' }, /^Cannot listen on the address ""/],
    [{ host: 5 }, /address 5/],
    [{ host: null }, /address null/],
    [{ signals: 'SIGTERM' }, /^Cannot close on the signals "SIGTERM": pass a list/],
    [{ signals: null }, /signals null/],
    [{ signals: ['SIGKILL'] }, /^Cannot close on the signal "SIGKILL"/],
    [{ signals: ['SIGSTOP'] }, /"SIGSTOP"/],
    [{ signals: ['SIGTERM', 'sigint'] }, /"sigint"/],
    [{ signals: ['toString'] }, /"toString"/],
    [{ signals: [15] }, /signal 15/],
    [{ signals: [['SIGTERM']] }, /^Cannot close on the signal /],
    [{ signals: ['SIGTERM', undefined] }, /signal undefined/],
    [{ drainMilliseconds: -1 }, /^Cannot use -1 as drainMilliseconds: .*from 0 to 2147483647 \(/],
    [{ drainMilliseconds: 2 ** 31 }, /Cannot use 2147483648 as/],
    [{ drainMilliseconds: NaN }, /Cannot use NaN as/],
    [{ drainMilliseconds: '5' }, /Cannot use "5" as/],
    [{ drainMilliseconds: null }, /Cannot use null as/],
    [{ drainMilliseconds: [5] }, / as drainMilliseconds: /],
    [{ prot: 80 }, /serve\(\).*prot|prot.*serve\(\)/s],
  ] as const) {
    it(`refuses ${JSON.stringify(options)}, and names it [HOLD-35]`, () => {
      assert.throws(check(App.create(), options), { name: 'TypeError', message })
    })
  }

  for (const app of [undefined, null, 'app', 5, {}, () => undefined, App, { boot: true }]) {
    it(`refuses ${typeof app} ${JSON.stringify(app) ?? ''} as an application [HOLD-35]`, () => {
      assert.throws(check(app, {}), {
        name: 'TypeError',
        message: /^Cannot serve .*: pass an application \(/s,
      })
    })
  }
})
