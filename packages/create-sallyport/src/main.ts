#!/usr/bin/env node
/**
 * Makes a project: `npm create sallyport@latest my-app`.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { relative } from 'node:path'
import { chooseParts, partsOf } from './catalogue.ts'
import { writeFiles } from './files.ts'
import { frameworkOf } from './framework.ts'
import { ownKit } from './kit-source.ts'
import { type Asked, readOptions, USAGE } from './options.ts'
import { filesOf } from './project.ts'

const kit = ownKit()

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
  const { folder, name, framework = `^${kit.version}`, installs, usesGit } = asked
  const { specifier, files } = frameworkOf(framework)
  if (existsSync(folder) && readdirSync(folder).length > 0)
    throw new Error(`${folder} is not empty: name another folder`)
  const parts = chooseParts(partsOf(kit.folder), asked)
  const project = { name, parts, framework: specifier, version: kit.version }
  const ids = kit.changes.map(({ id }) => id)
  writeFiles(folder, filesOf(kit.folder, project, ids))
  writeFiles(folder, files)
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
