#!/usr/bin/env node
/**
 * Makes a project: `npm create sallyport@latest my-app`.
 *
 * @module
 */
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmdirSync, rmSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { chooseParts, MINIMAL, partsOf } from './catalogue.ts'
import { assertDatabase, COMPOSE, postgresFiles } from './database.ts'
import { writeFiles } from './files.ts'
import { frameworkOf } from './framework.ts'
import { chooseLanguages, languagesOf } from './languages.ts'
import { ownKit } from './kit-source.ts'
import { NOTEBOOK_LANGUAGES, notebookFilesOf, ownNotebook } from './notebook.ts'
import { type Asked, type Given, readOptions, USAGE, withDefaults } from './options.ts'
import { summaryOf } from './part-summary.ts'
import { filesOf, type NewProject } from './project.ts'

const kit = ownKit()
const CANCELED = 130

type Choices = Pick<NewProject, 'parts' | 'languages'>

try {
  const given = readOptions(process.argv.slice(2))
  if (given === null) process.stdout.write(USAGE)
  else {
    // What cannot be made is refused before anything is asked or packed.
    if (given.folder !== undefined) assertFree(resolve(given.folder))
    choicesOf(withDefaults({ ...given, folder: given.folder ?? 'my-app' }))
    const known = await answered(given)
    if (known === null) cancel()
    else make(withDefaults(known))
  }
} catch (error) {
  if (!(error instanceof Error)) throw error
  process.stderr.write(`Cannot make a project: ${error.message}\n`)
  if (error instanceof TypeError) process.stderr.write(`\n${USAGE}`)
  process.exitCode = 1
}

async function answered(given: Given): Promise<Given | null> {
  if (!given.mayAsk || !process.stdin.isTTY || !process.stdout.isTTY) return given
  // Loaded only where there is somebody to ask.
  const { ask } = await import('./questions.ts')
  const parts = partsOf(kit.folder).map((part) => ({ ...part, summary: summaryOf(kit.folder, part.name) }))
  return ask({ given, parts, languages: languagesOf(kit.folder), refusal })
}

function cancel(): void {
  process.stdout.write('Nothing was made.\n')
  process.exitCode = CANCELED
}

function refusal(folder: string): string | undefined {
  const place = existing(resolve(folder))
  try {
    // Only an attempt tells: in some places, such as /proc, nothing can be made whatever their permissions say.
    rmdirSync(mkdtempSync(join(place, '.create-')))
  } catch (error) {
    const { code = 'unknown' } = error as { readonly code?: string }
    return `no folder can be made in ${place} (${code}): name another place`
  }
  const isTaken = existsSync(folder) && readdirSync(folder).length > 0
  return isTaken ? `${folder} is not empty: name another folder` : undefined
}

// The folder itself, or the nearest one around it.
function existing(folder: string): string {
  return existsSync(folder) ? folder : existing(dirname(folder))
}

function assertFree(folder: string): void {
  const refused = refusal(folder)
  if (refused !== undefined) throw new Error(refused)
}

function choicesOf({ preset, database, languages, ...wanted }: Asked): Choices {
  assertDatabase(database, preset)
  const all = preset === MINIMAL ? NOTEBOOK_LANGUAGES : languagesOf(kit.folder)
  return {
    parts: chooseParts(partsOf(kit.folder), { preset, ...wanted }),
    languages: chooseLanguages(all, languages),
  }
}

function make(asked: Asked): void {
  const { folder, installs, usesGit, preset, database } = asked
  assertFree(folder)
  const wasThere = existsSync(folder)
  writeProject(asked)
  const installations = [['npm', 'install'], ...(preset === MINIMAL ? [] : [['npm', 'run', 'ways-in']])]
  if (installs && !installations.every((words) => isDone(folder, words))) {
    rmSync(folder, { recursive: true, force: true })
    if (wasThere) mkdirSync(folder)
    cancel()
    return
  }
  if (usesGit) commit(folder)
  const steps = [
    `cd ${relative(process.cwd(), folder) || '.'}`,
    ...(installs ? [] : installations.map((words) => words.join(' '))),
    ...(database === 'postgres' ? [`docker compose -f ${COMPOSE} up --detach --wait`] : []),
    'npm run dev',
  ]
  process.stdout.write(`\nNext:\n${steps.map((step) => `  ${step}\n`).join('')}`)
}

function writeProject(asked: Asked): void {
  const { folder, name, framework = `^${kit.version}`, preset, database } = asked
  const choices = choicesOf(asked)
  const isMinimal = preset === MINIMAL
  const { specifier, files } = frameworkOf(framework, isMinimal ? 'framework' : 'all')
  const ids = kit.changes.map(({ id }) => id)
  const project = { name, ...choices, framework: specifier, version: kit.version }
  writeFiles(folder, isMinimal ? notebookFilesOf(ownNotebook(), project) : filesOf(kit.folder, project, ids))
  writeFiles(folder, files)
  if (database === 'postgres') writeFiles(folder, postgresFiles(project))
  process.stdout.write(
    `Made ${name} in ${folder}${isMinimal ? '' : `, with ${counted(choices.parts.length)}`}.\n`,
  )
}

function counted(count: number): string {
  return count === 1 ? '1 part' : `${count} parts`
}

/** Runs a program; false if Ctrl+C ended it. */
function isDone(folder: string, [program = '', ...args]: readonly string[]): boolean {
  // The terminal sends Ctrl+C to both programs: this one stays, to remove what it made.
  const stay = (): void => {}
  process.once('SIGINT', stay)
  const { status, signal, error } = spawnSync(program, args, {
    cwd: folder,
    stdio: ['ignore', 'inherit', 'inherit'],
  })
  process.off('SIGINT', stay)
  if (signal === 'SIGINT' || status === CANCELED) return false
  if (error !== undefined || status !== 0)
    throw new Error(`"${[program, ...args].join(' ')}" failed in ${folder}; what was made is there`)
  return true
}

// A first commit, so that everything after it can be seen. Without git, or without a name to commit with, there is none.
function commit(folder: string): void {
  const git = (...args: readonly string[]): boolean =>
    spawnSync('git', args, { cwd: folder, stdio: 'ignore' }).status === 0
  if (git('init', '--quiet') && git('add', '--all'))
    git('commit', '--quiet', '--message', 'Begin with the kit of Sallyport')
}
