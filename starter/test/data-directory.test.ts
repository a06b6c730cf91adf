import assert from 'node:assert/strict'
import { chownSync, linkSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { developmentKey, prepareDataDirectory } from '../core/boot/data-directory.ts'
import { StartupError } from '../core/boot/environment.ts'
import { temporary } from './support.ts'

const NOBODY = 65_534

describe('prepareDataDirectory()', () => {
  it('makes the folder, parents included, for its owner only, and leaves nothing else in it', (test) => {
    const directory = join(temporary(test), 'a', 'b')

    const paths = prepareDataDirectory(directory)

    assert.deepEqual(paths, {
      accounts: join(directory, 'accounts.sqlite'),
      sessions: join(directory, 'sessions.sqlite'),
    })
    assert.equal(statSync(directory).mode & 0o777, 0o700)
    assert.deepEqual(readdirSync(directory), [])
  })

  it('takes a folder that is there', (test) => {
    const directory = temporary(test)

    assert.doesNotThrow(() => prepareDataDirectory(directory))
  })

  it('refuses a file, what is below a file, and a folder that nobody can make', (test) => {
    const file = join(temporary(test), 'file')
    writeFileSync(file, '')

    for (const directory of [file, join(file, 'data'), '/proc/sallyport', '/proc/sallyport/data']) {
      assert.throws(() => prepareDataDirectory(directory), StartupError)
    }
    assert.equal(readFileSync(file, 'utf8'), '')
  })

  for (const name of ['accounts.sqlite', 'sessions.sqlite']) {
    it(`refuses ${name} that can be read only, before anybody signs in`, (test) => {
      const directory = temporary(test)
      const path = join(directory, name)
      writeFileSync(path, '', { mode: 0o400 })

      const prepare = (): unknown => prepareDataDirectory(directory)

      assert.throws(() => asSomebody([directory, path], prepare), {
        name: 'StartupError',
        message: `the database ${path} cannot be written (EACCES): grant this program write access, or set DATA_DIR to another folder`,
      })
    })
  }
})

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

  it('never writes over a key, whatever a killed process left behind', (test) => {
    const directory = temporary(test)
    const key = developmentKey(directory)
    const path = join(directory, 'factor.key')
    // Killed between the link and the removal of its draft, by the name that processes of one number once gave.
    linkSync(path, `${path}.${process.pid}`)

    assert.equal(developmentKey(directory).reveal(), key.reveal())
    rmSync(path)
    const other = developmentKey(directory)

    assert.notEqual(other.reveal(), key.reveal())
    assert.equal(readFileSync(`${path}.${process.pid}`, 'utf8').trim(), key.reveal())
  })

  for (const text of ['', 'hello', 'ab'.repeat(31)]) {
    it(`refuses ${JSON.stringify(text)} for a key, and does not show it`, (test) => {
      const directory = temporary(test)
      writeFileSync(join(directory, 'factor.key'), text)

      assert.throws(() => developmentKey(directory), {
        name: 'StartupError',
        message: `the key ${join(directory, 'factor.key')} is damaged: restore it from a copy, or delete the folder to start over`,
      })
    })
  }

  it('refuses a folder that is not there', (test) => {
    assert.throws(() => developmentKey(join(temporary(test), 'nowhere')), StartupError)
  })
})
