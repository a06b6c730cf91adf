#!/usr/bin/env node
/**
 * `sallyport`: lists, explains and checks the URLs of an application. Exit code 0: success. 1: faults were found, a resolver
 * failed, a declaration file is out of date, or the application cannot boot. 2: the command line is invalid, or this Node is
 * too old.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { refusalOfNode } from './node-version.ts'

const { engines } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly engines: { readonly node: string }
}
const refusal = refusalOfNode(process.versions.node, engines.node)

// An older Node may fail to load the other files, so nothing else is imported before the check.
if (refusal === null) {
  const { runCommandLine } = await import('./run.ts')
  await runCommandLine()
} else {
  process.stderr.write(`sallyport: ${refusal}\n`)
  process.exitCode = 2
}
