#!/usr/bin/env node
// A package of its own only for its name: `npx sallyport-kit` looks for a package that is called so.
import 'create-sallyport/kit'
