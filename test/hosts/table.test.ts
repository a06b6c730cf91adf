import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'

import { differences } from './differences.ts'
import { type Host, hosts } from './hosts.ts'
import { testedRuntimes } from './runtimes.ts'
import { HOSTS_GUIDE, tableIn, type TableName } from './table.ts'

const versions = { day: versionsIn('program'), night: versionsIn('night') }

function versionsIn(folder: string): (name: string) => string | undefined {
  const lockfile = readFileSync(new URL(`${folder}/package-lock.json`, import.meta.url), 'utf8')
  const { packages } = JSON.parse(lockfile) as {
    readonly packages: Readonly<Record<string, { readonly version: string }>>
  }
  return (name) => packages[`node_modules/${name}`]?.version
}

function versionOf({ packageName = '', isNightly = false }: Host): string | undefined {
  return versions[isNightly ? 'night' : 'day'](packageName)
}

function rowsOf(name: TableName): readonly (readonly string[])[] {
  const rows = tableIn(readFileSync(HOSTS_GUIDE, 'utf8'), name).split('\n').slice(2)
  return rows.map((row) => row.slice(2, -2).split(' | '))
}

describe('the tables of the guide of hosts', () => {
  it('have every host, in the version that is tested [HOST-02]', () => {
    const rows = rowsOf('hosts')

    for (const [index, host] of hosts.entries()) {
      const [told, version] = rows[index] ?? []
      assert.equal(told, host.name)
      if (host.packageName !== undefined) assert.equal(version, versionOf(host), host.name)
    }
    assert.equal(rows.length, hosts.length)
  })

  it('have every runtime, in the version that is tested, and why a test fails there [HOST-01]', () => {
    const rows = rowsOf('runtimes')

    for (const [index, { name, runtime, packageName }] of testedRuntimes.entries()) {
      const [told, version, , reasons] = rows[index] ?? []
      assert.deepEqual([told, version], [name, versions.day(packageName)])
      const known = differences.filter(({ runtimes }) => runtimes.includes(runtime))
      assert.equal(reasons, known.map(({ reason }) => reason).join(' ') || 'none')
    }
    assert.equal(rows.length, testedRuntimes.length)
  })
})
