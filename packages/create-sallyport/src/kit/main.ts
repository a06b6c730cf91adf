#!/usr/bin/env node
/**
 * Keeps a project up to date with the kit: `npx sallyport-kit@latest upgrade`.
 *
 * @module
 */
import { writeFiles } from '../files.ts'
import { type Kit, ownKit } from '../kit-source.ts'
import { add } from './add.ts'
import { applyStep } from './apply.ts'
import { type Check, runChecks } from './checks.ts'
import { diff } from './diff.ts'
import { assertCommitted } from './git.ts'
import { describeList, list } from './list.ts'
import { hasOtherPackages } from './manifest.ts'
import { openProject, type Project } from './opened.ts'
import { type Asked, readOptions, USAGE } from './options.ts'
import { isOpen, type Proposal } from './proposal.ts'
import { Refusal } from './refusal.ts'
import { remove } from './remove.ts'
import { describe, toJson } from './report.ts'
import { applyOnly, upgrade } from './upgrade.ts'

const REFUSED = 2

const asked = readWords()
if (asked === null) process.stdout.write(USAGE)
else if (asked !== undefined) start(asked)

function readWords(): Asked | null | undefined {
  try {
    return readOptions(process.argv.slice(2))
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    refuse(`${error.message}\n\n${USAGE.trimEnd()}`)
    return undefined
  }
}

function start(wanted: Asked): void {
  try {
    process.exitCode = run(wanted, ownKit())
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    refuse(`Nothing was changed: ${error.message}`)
  }
}

function refuse(message: string): void {
  process.stderr.write(`${message}\n`)
  process.exitCode = REFUSED
}

function run(asked: Asked, kit: Kit): number {
  const project = openProject(asked.folder)
  if (asked.command === 'list') return showList(asked, project, kit)
  if (asked.command === 'diff') return showDiff(asked, project)
  if (!asked.isDry && !asked.isForced) assertCommitted(project.folder)
  const proposal = propose(asked, project, kit)
  const checks = asked.isDry ? [] : carryOut(asked, project, proposal)
  const told = { proposal, isDry: asked.isDry, checks }
  print(asked.isJson ? toJson(told) : describe(told))
  return proposal.step.changes.some(isOpen) || checks.some(({ isGood }) => !isGood) ? 1 : 0
}

function propose(asked: Asked, project: Project, kit: Kit): Proposal {
  if (asked.command === 'add') return add(project, kit, asked.names)
  if (asked.command === 'remove') return remove(project, asked.names, asked.isForced)
  return asked.only === undefined
    ? upgrade(project, kit, asked.framework)
    : applyOnly(project, kit, asked.only)
}

function carryOut(
  { installs, tests }: Asked,
  { folder, ours }: Project,
  proposal: Proposal,
): readonly Check[] {
  const { step, files } = proposal
  applyStep(folder, step)
  writeFiles(folder, files)
  if (!installs || step.changes.some(isOpen)) return []
  const before = ours.get('package.json')
  const after = step.changes.find(({ path }) => path === 'package.json')?.contents
  const hasOthers = before !== undefined && after !== undefined && hasOtherPackages(before, after)
  // A packed file that is named is unpacked again, even if it has the version of the one before.
  const packed = [...files.keys()].map((path) => `./${path}`)
  return runChecks(folder, { install: hasOthers || files.size > 0 ? packed : undefined, tests })
}

function showList({ isJson }: Asked, project: Project, kit: Kit): number {
  const parts = list(project, kit)
  print(isJson ? parts : describeList(parts))
  return 0
}

function showDiff({ isJson, names }: Asked, project: Project): number {
  const { edits, text } = diff(project, names[0])
  print(isJson ? edits : text)
  return 0
}

function print(answer: string | object): void {
  process.stdout.write(typeof answer === 'string' ? answer : `${JSON.stringify(answer, null, 2)}\n`)
}
