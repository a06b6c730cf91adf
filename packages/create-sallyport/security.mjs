/**
 * Makes a security change of a commit, at a release:
 *
 *     node packages/create-sallyport/security.mjs SEC-2026-001 COMMIT "what could happen" > packages/create-sallyport/security/SEC-2026-001.json
 *
 * It has the whole text of each file, before and after: so the change can be merged into a project of any version, as an upgrade is.
 *
 * @module
 */
import { execFileSync } from 'node:child_process'

const [, , id = '', commit = '', title = ''] = process.argv
if (!/^SEC-\d{4}-\d{3}$/.test(id) || commit === '' || title === '') {
  process.stderr.write('Usage: security.mjs SEC-2026-001 COMMIT "what could happen"\n')
  process.exit(1)
}

// A project has its own ones, or makes them anew.
const others = new Set(['README.md', 'CHANGELOG.md', 'WAYS-IN.md', 'parts.ts'])
const names = git('diff', '--name-only', '--no-renames', '-z', `${commit}^`, commit, '--', 'starter')
const paths = names.split('\0').filter((path) => path !== '')
const files = Object.fromEntries(
  paths
    .map((path) => path.slice('starter/'.length))
    .filter((path) => !others.has(path))
    .map((path) => [path, { before: textAt(`${commit}^`, path), after: textAt(commit, path) }]),
)
process.stdout.write(`${JSON.stringify({ id, title, files }, null, 2)}\n`)

/**
 * @param {string} revision A commit.
 * @param {string} path Path below the starter.
 * @returns {string | null} The text there; null for none.
 */
function textAt(revision, path) {
  const found = git('ls-tree', '--name-only', revision, '--', `starter/${path}`)
  return found === '' ? null : git('show', `${revision}:starter/${path}`)
}

/**
 * @param {string[]} words What git is asked for, at the root of the repository.
 * @returns {string} What it printed.
 */
function git(...words) {
  return execFileSync('git', words, { encoding: 'utf8', maxBuffer: 2 ** 28 })
}
