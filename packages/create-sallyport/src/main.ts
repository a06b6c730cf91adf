#!/usr/bin/env node
/**
 * Makes a project: `npm create sallyport@latest my-app`.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chooseParts, partsOf } from './catalogue.ts'
import { type Asked, readOptions, USAGE } from './options.ts'
import { filesOf, type Files } from './project.ts'

const here = fileURLToPath(new URL('..', import.meta.url))
// The package has a copy of the starter. In a checkout it is the starter itself.
const kit = existsSync(join(here, 'kit')) ? join(here, 'kit') : join(here, '../../starter')
const { version } = JSON.parse(readFileSync(join(here, 'package.json'), 'utf8')) as {
  readonly version: string
}

try {
  const asked = readOptions(process.argv.slice(2))
  if (asked === null) process.stdout.write(USAGE)
  else make(asked)
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`Cannot make a project: ${error.message}\n`)
  if (error instanceof TypeError) process.stderr.write(`\n${USAGE}`)
  process.exitCode = 1
}

function make(asked: Asked): void {
  const { folder, name, framework = `^${version}`, installs, usesGit } = asked
  const isFile = framework.endsWith('.tgz') && existsSync(framework)
  const packed = `vendor/${basename(framework)}`
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: name another folder`)
  const parts = chooseParts(partsOf(kit), asked)
  write(folder, filesOf(kit, { name, parts, framework: isFile ? `file:${packed}` : framework, version }))
  // A framework that is not published comes with the project.
  if (isFile) write(folder, new Map([[packed, readFileSync(framework)]]))
  process.stdout.write(`Made ${name} in ${folder}, with ${counted(parts.length)}.\n`)
  if (installs) {
    run(folder, 'npm', ['install'])
    run(folder, 'npm', ['run', 'ways-in', '--silent'])
  }
  if (usesGit) commit(folder)
  const steps = [
    `cd ${relative(process.cwd(), folder) || '.'}`,
    ...(installs ? [] : ['npm install', 'npm run ways-in']),
    'npm run dev',
  ]
  process.stdout.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`)
}

function counted(count: number): string {
  return count === 1 ? '1 part' : `${count} parts`
}

function write(folder: string, files: Files): void {
  for (const [path, contents] of files) {
    const full = join(folder, path)
    mkdirSync(dirname(full), { recursive: true })
    writeFileSync(full, contents)
  }
}

function run(folder: string, program: string, args: readonly string[]): void {
  const { status, error } = spawnSync(program, args, { cwd: folder, stdio: ['ignore', 'inherit', 'inherit'] })
  if (error !== undefined || status !== 0)
    throw new Error(`"${[program, ...args].join(' ')}" failed in ${folder}; what was made is there`)
}

// A first commit, so that everything after it can be seen. Without git, or without a name to commit with, there is none.
function commit(folder: string): void {
  const git = (...args: readonly string[]): boolean =>
    spawnSync('git', args, { cwd: folder, stdio: 'ignore' }).status === 0
  if (git('init', '--quiet') && git('add', '--all'))
    git('commit', '--quiet', '--message', 'Begin with the kit of Sallyport')
}
