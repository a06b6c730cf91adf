/**
 * The `package.json` of a new project.
 *
 * @module
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { appSpecifier } from './framework.ts'

type Scripts = Readonly<Record<string, string>>

interface Manifest {
  readonly engines: object
  readonly scripts: Scripts
  readonly sallyport: object
  readonly dependencies: Readonly<Record<string, string>>
  readonly devDependencies: object
}

/**
 * @param source Folder whose `package.json` the project has, without what belongs to the checkout.
 * @param project Its name, and what it says for the framework: a version, or `file:` and a path.
 * @param scriptsOf Makes its scripts. Default: those of the source.
 * @returns The text.
 */
export function manifest(
  source: string,
  { name, framework }: { readonly name: string; readonly framework: string },
  scriptsOf: (scripts: Scripts) => Scripts = (scripts) => scripts,
): string {
  const { engines, scripts, sallyport, dependencies, devDependencies } = JSON.parse(
    readFileSync(join(source, 'package.json'), 'utf8'),
  ) as Manifest
  const own = {
    name,
    version: '0.1.0',
    private: true,
    type: 'module',
    engines,
    scripts: scriptsOf(scripts),
    sallyport,
    dependencies: {
      ...dependencies,
      sallyport: framework,
      ...('sallyport-app' in dependencies ? { 'sallyport-app': appSpecifier(framework) } : {}),
    },
    devDependencies,
  }
  return `${JSON.stringify(own, null, 2)}\n`
}
