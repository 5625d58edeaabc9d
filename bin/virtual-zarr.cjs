#!/usr/bin/env node
'use strict'
// The command. A checkout runs its TypeScript as it is; the published package has only the build.
require('./node-version.cjs')
var fs = require('node:fs')
var path = require('node:path')
var source = path.join(__dirname, '../src/server/main.ts')
var main = fs.existsSync(source) ? source : path.join(__dirname, '../dist/src/server/main.js')
import(require('node:url').pathToFileURL(main).href).catch((error) => {
  console.error(error)
  process.exitCode = 1
})
