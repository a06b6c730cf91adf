/**
 * What is checked without running a test: format, lint, types, examples, unused code.
 *
 * @module
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'

/** One check. */
export interface StaticStep {
  readonly name: string
  /** Package whose command runs, and its arguments. */
  readonly tool: string
  readonly args: readonly string[]
  /** What mends what it finds. */
  readonly remedy?: string
}

/** All checks. */
export const staticSteps: readonly StaticStep[] = [
  { name: 'format', tool: 'oxfmt', args: ['--check'], remedy: 'fix it with: npm run format' },
  { name: 'lint', tool: 'oxlint', args: ['--type-aware', '--deny-warnings'] },
  { name: 'types', tool: 'typescript', args: ['-p', '.'] },
  { name: 'examples', tool: 'typescript', args: ['-p', 'examples'] },
  { name: 'unused', tool: 'knip', args: ['--no-progress', '--no-config-hints'] },
]

/** What came of a check. */
export interface StepResult {
  readonly passed: boolean
  readonly seconds: number
  readonly output: string
}

/**
 * Runs the command of a package.
 *
 * @param step The check.
 * @param options Node to run it with, and folder.
 * @returns What came of it.
 */
export async function runStep(
  { tool, args }: Pick<StaticStep, 'tool' | 'args'>,
  { node, root, signal }: { readonly node: string; readonly root: string; readonly signal: AbortSignal },
): Promise<StepResult> {
  const started = performance.now()
  const child = spawn(node, [commandOf(tool, root), ...args], {
    cwd: root,
    env: environment(),
    stdio: ['ignore', 'pipe', 'pipe'],
    // A group of its own: these tools are programs that start another one.
    detached: true,
  })
  const abort = (): unknown => child.pid !== undefined && process.kill(-child.pid)
  signal.addEventListener('abort', abort)
  const [stdout, stderr, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit') as Promise<unknown[]>,
  ])
  signal.removeEventListener('abort', abort)
  return {
    passed: code === 0,
    seconds: (performance.now() - started) / 1000,
    output: stdout + stderr,
  }
}

/** Output is captured, so the tools are told whether colors are wanted; under CI they would always use them. */
function environment(): NodeJS.ProcessEnv {
  const { CI: _, ...inherited } = process.env
  return process.stdout.isTTY ? { ...inherited, FORCE_COLOR: '1' } : { ...inherited, NO_COLOR: '1' }
}

function commandOf(tool: string, root: string): string {
  const folder = join(root, 'node_modules', tool)
  // A package.json of npm.
  const { bin, name } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as {
    bin: string | Record<string, string>
    name: string
  }
  const path = typeof bin === 'string' ? bin : (bin[name] ?? Object.values(bin)[0] ?? '')
  return join(folder, path)
}
