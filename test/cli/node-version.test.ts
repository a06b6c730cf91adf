import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'

import { refusalOfNode } from '../../src/cli/node-version.ts'

const MAIN = new URL('../../src/cli/main.ts', import.meta.url)
const MANIFEST = new URL('../../package.json', import.meta.url)

// The same program as an older Node sees it: another version, and nothing that came later.
const OLD_NODE = `
  Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.19.4' } })
  delete Promise.withResolvers
  await import(${JSON.stringify(MAIN.href)})
`

describe('refusalOfNode()', () => {
  for (const version of ['0.12.18', '20.19.4', '24.0.0', '24.14.9', '9.99.99']) {
    it(`names an older version and the required one: ${version}`, () => {
      const refusal = refusalOfNode(version, '>=24.15') ?? ''

      assert.ok(refusal.includes(`Node ${version} `) && refusal.includes('Node 24.15 or later'), refusal)
    })
  }

  for (const version of ['24.15.0', '24.15.0-nightly2026', '24.20.1', '25.0.0', '100.1.0']) {
    it(`accepts ${version}`, () => {
      assert.equal(refusalOfNode(version, '>=24.15'), null)
    })
  }

  it('accepts the Node of these tests by the manifest of the package, and refuses another form', () => {
    const { engines } = JSON.parse(readFileSync(MANIFEST, 'utf8')) as { engines: { node: string } }

    assert.equal(refusalOfNode(process.versions.node, engines.node), null)
    assert.throws(() => refusalOfNode('24.15.0', '^24.15'), TypeError)
  })
})

describe('sallyport with an older Node', () => {
  for (const args of [['check'], ['--help'], ['nonsense']]) {
    it(`says which version it needs, and ends with 2: ${args.join(' ')}`, () => {
      const { status, stdout, stderr } = spawnSync(
        process.execPath,
        ['--conditions=sallyport-source', '--input-type=module', '--eval', OLD_NODE, '--', ...args],
        { cwd: fileURLToPath(new URL('./fixture/', import.meta.url)), encoding: 'utf8' },
      )

      assert.equal(stderr, 'sallyport: Node 20.19.4 is too old. Run it with Node 22.18 or later\n')
      assert.deepEqual([status, stdout], [2, ''])
    })
  }
})
