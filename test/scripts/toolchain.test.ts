import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'

interface Program {
  name: string
  variable: string
  exported: string
  commands: string[]
  debianPackage: string
}

type Environment = Record<string, string | undefined>

/** The scripts are plain JavaScript, since a Node without types runs them: their shapes are told here. */
interface Scripts {
  differenceFromLockfile: (directory: string) => string | undefined
  findProgram: (program: Program, env: Environment) => string | undefined
  locateProgram: (program: Program, env: Environment) => { path?: string; problem?: string }
}

const folder = new URL('../../scripts/lib/', import.meta.url)
const { differenceFromLockfile, findProgram, locateProgram } = {
  ...(await import(new URL('toolchain.mjs', folder).href)),
  ...(await import(new URL('programs.mjs', folder).href)),
} as Scripts

function temporaryFolder(t: TestContext, files: Record<string, string>): string {
  const path = mkdtempSync(join(tmpdir(), 'sallyport-test-'))
  t.after(() => rmSync(path, { recursive: true, force: true }))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(path, name)), { recursive: true })
    writeFileSync(join(path, name), text, { mode: 0o755 })
  }
  return path
}

describe('differenceFromLockfile()', () => {
  const wanted = {
    '': { version: '9' },
    starter: { version: '9' },
    'node_modules/one': { version: '1.0.0', integrity: 'a' },
    'node_modules/one-windows': { version: '1.0.0', integrity: 'b', optional: true },
  }

  function install(t: TestContext, packages: Record<string, object>): string {
    return temporaryFolder(t, {
      'package-lock.json': JSON.stringify({ packages: wanted }),
      'node_modules/.package-lock.json': JSON.stringify({ packages }),
      'node_modules/one/package.json': '{}',
    })
  }

  it('finds none when everything that is not optional is installed', (t) => {
    const directory = install(t, { 'node_modules/one': { version: '1.0.0', integrity: 'a' } })

    assert.equal(differenceFromLockfile(directory), undefined)
  })

  it('finds another version', (t) => {
    const directory = install(t, { 'node_modules/one': { version: '0.9.0', integrity: 'a' } })

    assert.equal(differenceFromLockfile(directory), 'node_modules/one')
  })

  it('finds the same version with other contents', (t) => {
    const directory = install(t, { 'node_modules/one': { version: '1.0.0', integrity: 'z' } })

    assert.equal(differenceFromLockfile(directory), 'node_modules/one')
  })

  it('finds a package whose folder was removed', (t) => {
    const directory = install(t, { 'node_modules/one': { version: '1.0.0', integrity: 'a' } })
    rmSync(join(directory, 'node_modules/one'), { recursive: true })

    assert.equal(differenceFromLockfile(directory), 'node_modules/one')
  })

  it('finds that nothing is installed', (t) => {
    const directory = temporaryFolder(t, { 'package-lock.json': JSON.stringify({ packages: wanted }) })

    assert.equal(differenceFromLockfile(directory), 'nothing is installed')
  })
})

describe('the programs that tests need', () => {
  const program: Program = {
    name: 'Example',
    variable: 'EXAMPLE',
    exported: 'SALLYPORT_EXAMPLE',
    commands: ['example', 'example-old'],
    debianPackage: 'example',
  }

  it('are found in PATH, the preferred name first', (t) => {
    const bin = temporaryFolder(t, { 'a/example-old': '', 'b/example': '' })

    const path = findProgram(program, { PATH: `${join(bin, 'a')}:${join(bin, 'b')}` })

    assert.equal(path, join(bin, 'b/example'))
  })

  it('are found in folders named by version, the highest first', (t) => {
    const lib = temporaryFolder(t, { '9/bin/example': '', '15/bin/example': '' })

    const path = findProgram({ ...program, commands: [`${lib}/*/bin/example`] }, { PATH: '' })

    assert.equal(path, `${lib}/15/bin/example`)
  })

  it('are taken from the variable that names them', (t) => {
    const bin = temporaryFolder(t, { mine: '', example: '' })

    const located = locateProgram(program, { PATH: bin, EXAMPLE: join(bin, 'mine') })

    assert.deepEqual(located, { path: join(bin, 'mine') })
  })

  it('are refused when the variable names no program, whatever else is installed', (t) => {
    const bin = temporaryFolder(t, { example: '' })

    const { path, problem } = locateProgram(program, { PATH: bin, EXAMPLE: join(bin, 'absent') })

    assert.equal(path, undefined)
    assert.match(problem ?? '', /^EXAMPLE=.*absent is not an executable file$/)
  })

  it('are neither there nor wrong when they are not installed', () => {
    assert.deepEqual(locateProgram(program, { PATH: '' }), {})
  })
})
