import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { hosts } from './hosts.ts'
import { HOSTS_GUIDE, tableIn } from './table.ts'

const lockfile = JSON.parse(readFileSync(new URL('program/package-lock.json', import.meta.url), 'utf8')) as {
  readonly packages: Readonly<Record<string, { readonly version: string }>>
}

describe('the table of hosts in the guide', () => {
  it('has every host, in the version that is tested [HOST-02]', () => {
    const rows = tableIn(readFileSync(HOSTS_GUIDE, 'utf8')).split('\n').slice(2)
    const cells = rows.map((row) =>
      row
        .split(' | ')
        .slice(0, 2)
        .map((cell) => cell.replace('| ', '')),
    )

    for (const [index, { name, packageName }] of hosts.entries()) {
      const [told, version] = cells[index] ?? []
      assert.equal(told, name)
      if (packageName !== undefined)
        assert.equal(version, lockfile.packages[`node_modules/${packageName}`]?.version, name)
    }
    assert.equal(rows.length, hosts.length)
  })
})
