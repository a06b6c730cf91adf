import assert from 'node:assert/strict'
import { chownSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { developmentKey, prepareDataDirectory } from 'sallyport-app/boot'
import { StartupError } from 'sallyport-app/settings'
import { temporary } from '../temporary.ts'

const NOBODY = 65_534

// The rights of files bind everybody but root.
function asSomebody(paths: readonly string[], act: () => unknown): unknown {
  const { seteuid, geteuid } = process
  if (seteuid === undefined || geteuid?.() !== 0) return act()
  for (const path of paths) chownSync(path, NOBODY, NOBODY)
  seteuid(NOBODY)
  try {
    return act()
  } finally {
    seteuid(0)
  }
}

describe('prepareDataDirectory()', () => {
  it('makes the folder, parents included, for its owner only, and takes one that is there', (test) => {
    const directory = join(temporary(test), 'a', 'b')

    const paths = prepareDataDirectory(directory)

    assert.deepEqual(paths, {
      accounts: join(directory, 'accounts.sqlite'),
      sessions: join(directory, 'sessions.sqlite'),
    })
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(directory), [])
    assert.deepEqual(prepareDataDirectory(directory), paths)
  })

  it('refuses a file, what is below a file, and a folder that nobody can make', (test) => {
    const file = join(temporary(test), 'file')
    writeFileSync(file, '')

    for (const directory of [file, join(file, 'data'), '/proc/sallyport', '/proc/sallyport/data'])
      assert.throws(() => prepareDataDirectory(directory), StartupError)
    assert.equal(readFileSync(file, 'utf8'), '')
  })

  for (const name of ['accounts.sqlite', 'sessions.sqlite'])
    it(`refuses ${name} that can be read only, before anybody signs in`, (test) => {
      const directory = temporary(test)
      const path = join(directory, name)
      writeFileSync(path, '', { mode: 0o400 })

      assert.throws(() => asSomebody([directory, path], () => prepareDataDirectory(directory)), {
        name: 'StartupError',
        message: `the database ${path} cannot be written (EACCES): grant this program write access, or set DATA_DIR to another folder`,
      })
    })
})

describe('developmentKey()', () => {
  it('makes a key of 32 bytes once, in a file of its own that only its owner reads [FACTOR-36]', (test) => {
    const directory = temporary(test)

    const first = developmentKey(directory)
    const second = developmentKey(directory)

    assert.match(first.reveal(), /^[0-9a-f]{64}$/)
    assert.equal(second.reveal(), first.reveal())
    assert.notEqual(developmentKey(temporary(test)).reveal(), first.reveal())
    assert.deepEqual(readdirSync(directory), ['factor.key'])
    assert.equal(statSync(join(directory, 'factor.key')).mode & 0o777, 0o600)
  })

  it('refuses what is no key, without showing it, and a folder that is not there', (test) => {
    const directory = temporary(test)
    const path = join(directory, 'factor.key')
    for (const text of ['', 'hello', 'ab'.repeat(31)]) {
      writeFileSync(path, text)
      assert.throws(() => developmentKey(directory), {
        name: 'StartupError',
        message: `the key ${path} is damaged: restore it from a copy, or delete the folder to start over`,
      })
    }
    assert.throws(() => developmentKey(join(directory, 'nowhere')), StartupError)
  })
})
