import type { Installation } from './installation.ts'

/** Where the program is tried. */
export interface Host {
  /** Its name, in tests and in the table of the guide. */
  readonly name: string
  /** Its package, whose version the table tells; absent where the host is Node that runs the tests. */
  readonly packageName?: string
  /** The program that starts it, below `program`. */
  readonly program: string
  /** What runs the program. */
  readonly runtime: Runtime
  /** Arguments of Node that build what the program serves, run once. */
  readonly build?: readonly string[]
  /** Whether it is tested at night only, because its packages or its build are large. Default: false. */
  readonly isNightly?: boolean
  /** Whether it tells the application the address of the client. Default: true. */
  readonly tellsAddress?: boolean
  /** Whether it has a page of its own that only signed-in users see, at `/host-page`. Default: false. */
  readonly guardsPage?: boolean
}

/** What runs programs. */
export type Runtime = 'node' | 'node22' | 'node26' | 'bun' | 'deno'

/** All hosts, in the order of the table. */
export const hosts: readonly Host[] = [
  { name: 'Node 24, `serve()`', program: 'node.mjs', runtime: 'node' },
  { name: 'Node 22, `serve()`', packageName: 'node22', program: 'node.mjs', runtime: 'node22' },
  { name: 'Node 26, `serve()`', packageName: 'node26', program: 'node.mjs', runtime: 'node26' },
  { name: 'Bun, `serve()`', packageName: 'bun', program: 'node.mjs', runtime: 'bun' },
  { name: 'Deno, `serve()`', packageName: 'deno', program: 'node.mjs', runtime: 'deno' },
  { name: 'Bun', packageName: 'bun', program: 'bun.mjs', runtime: 'bun' },
  { name: 'Deno', packageName: 'deno', program: 'deno.mjs', runtime: 'deno' },
  { name: 'workerd', packageName: 'workerd', program: 'workerd.mjs', runtime: 'node' },
  {
    name: '@hono/node-server',
    packageName: '@hono/node-server',
    program: 'hono-node-server.mjs',
    runtime: 'node',
  },
  { name: 'Hono', packageName: 'hono', program: 'hono.mjs', runtime: 'node' },
  { name: 'Express', packageName: 'express', program: 'express.mjs', runtime: 'node' },
  { name: 'Fastify', packageName: 'fastify', program: 'fastify.mjs', runtime: 'node' },
  { name: 'h3', packageName: 'h3', program: 'h3.mjs', runtime: 'node' },
  { name: 'srvx', packageName: 'srvx', program: 'srvx.mjs', runtime: 'node' },
  { name: 'Elysia, on Bun', packageName: 'elysia', program: 'elysia.mjs', runtime: 'bun' },
  {
    name: 'Next.js, built for production',
    packageName: 'next',
    program: 'next.mjs',
    runtime: 'node',
    build: ['node_modules/next/dist/bin/next', 'build', 'next'],
    tellsAddress: false,
    guardsPage: true,
  },
  {
    name: 'Next.js 15, built for production',
    packageName: 'next',
    program: 'next15.mjs',
    runtime: 'node',
    build: ['node_modules/next/dist/bin/next', 'build', 'next15'],
    isNightly: true,
    tellsAddress: false,
    guardsPage: true,
  },
  {
    name: 'Astro, built for production',
    packageName: 'astro',
    program: 'astro.mjs',
    runtime: 'node',
    build: ['node_modules/astro/bin/astro.mjs', 'build', '--root', 'astro'],
    isNightly: true,
  },
  {
    name: 'workerd, bundled by wrangler',
    packageName: 'workerd',
    program: 'wrangler.mjs',
    runtime: 'node',
    build: ['node_modules/wrangler/bin/wrangler.js', 'deploy', '--dry-run', '--outdir=out'],
    isNightly: true,
  },
]

/** Program and arguments of a runtime, in the folder of the installation. */
export function commandOf(runtime: Runtime, { packageFile }: Installation): readonly string[] {
  if (runtime === 'node') return [process.execPath]
  if (runtime === 'bun') return [packageFile('bun/bin/bun.exe')]
  // Its packages are those that npm has installed.
  if (runtime === 'deno') return [packageFile('deno/deno'), 'run', '--allow-all', '--node-modules-dir=manual']
  return [packageFile(`${runtime}/bin/node`)]
}
