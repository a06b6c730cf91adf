import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { describe, it } from 'node:test'
import { differenceOf } from '../../src/node/serving-runtime.ts'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly engines: { readonly node: string }
}
const OLDEST = engines.node.slice('>='.length)

describe('serve() on a runtime', () => {
  for (const [what, versions, expected] of [
    ['the oldest Node', { node: `${OLDEST}.0` }, null],
    ['a Node with a lower minor version', { node: '23.0.0' }, null],
    ['this Node', process.versions, null],
    [
      'Bun',
      { node: '24.3.0', bun: '1.4.5' },
      'serve() does not keep all its promises on Bun 1.4.5: it forgets the address of a client that disconnects. Pass app.fetch to Bun.serve() instead',
    ],
    [
      'Deno',
      { node: '24.2.0', deno: '2.9.6' },
      'serve() does not keep all its promises on Deno 2.9.6: it does not limit the size of chunk extensions. Pass app.fetch to Deno.serve() instead',
    ],
  ] as const)
    it(`says what it does not keep on ${what} [HOST-05]`, () => {
      assert.equal(differenceOf({ versions, createServer }), expected)
    })

  for (const version of ['20.20.2', '22.17.9'])
    it(`is refused on Node ${version} [HOST-05]`, () => {
      assert.throws(() => differenceOf({ versions: { node: version }, createServer }), {
        message: `Cannot serve on Node ${version}: install Node ${OLDEST} or later`,
      })
    })

  for (const [what, create] of [
    ['are ignored', () => ({ headersTimeout: 0 })],
    [
      'are refused',
      () => {
        throw new Error('The connectionsCheckingInterval option is not implemented')
      },
    ],
  ] as const)
    it(`is refused where time limits ${what} [HOST-05]`, () => {
      assert.throws(() => differenceOf({ versions: { node: '22.19.0' }, createServer: create }), {
        message:
          'Cannot serve here: node:http of this runtime has no time limits. Pass app.fetch to its own server instead',
      })
    })
})
