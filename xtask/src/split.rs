//! The page's wasm in two: what the first paint and a first run need, and the
//! rest, which `boot.js` fetches as soon as the page stands, or at once if one
//! of its functions is called before.
//!
//! The functions of the rest are known by their names. Where one of them is
//! called from the first part, a stub stands there in its place: it sees to it
//! that the rest is loaded, and goes through the table. The rest shares the
//! memory, the table and the globals of the first part, and imports from it
//! the functions that it calls. What the parts share is exported under names
//! that start with `~`.

use anyhow::{Context, Result, bail};
use std::collections::{BTreeMap, BTreeSet};
use walrus::ir::{UnaryOp, Value, Visitor, dfs_in_order};
use walrus::{
    ConstExpr, DataKind, ElementItems, ElementKind, ExportItem, FunctionBuilder, FunctionId,
    FunctionKind, GlobalKind, ImportKind, ImportedFunction, LocalFunction, MemoryId, Module,
    ModuleConfig, TableId, ValType,
};

/// The two parts.
pub(crate) struct Parts {
    pub(crate) first: Vec<u8>,
    pub(crate) rest: Vec<u8>,
    /// How many functions are in the rest.
    pub(crate) moved: usize,
}

/// The import that loads the rest: `lanewise.rest(now)` of `boot.js`.
const LOADER: &str = "rest";

/// What the rest imports from.
const FIRST: &str = "first";

/// The global that tells whether the rest is there.
const LOADED: &str = "~loaded";

/// The memory that both parts use.
const MEMORY: &str = "~memory";

/// Instructions of a function that is not worth a stub; and a short one may
/// have been merged with one of another name.
const SMALL: u64 = 24;

/// Splits a module. `belongs` tells by its name whether a function is of the
/// rest; `data` only functions of the rest read.
pub(crate) fn split(wasm: &[u8], belongs: impl Fn(&str) -> bool, data: &[u8]) -> Result<Parts> {
    let mut config = ModuleConfig::new();
    config
        .generate_name_section(false)
        .generate_producers_section(false);
    let mut first = config.parse(wasm)?;
    // Read twice, functions and globals have the same places in both.
    let mut rest = config.parse(wasm)?;
    let moved = moved(&first, belongs)?;
    let entries = entries(&first, &moved);
    let slots = stub(&mut first, &entries)?;
    cut(&mut rest, &moved, &entries, slots)?;
    share(&mut first, &rest)?;
    take_data(&mut first, &mut rest, data)?;
    walrus::passes::gc::run(&mut first);
    Ok(Parts {
        first: first.emit_wasm(),
        rest: rest.emit_wasm(),
        moved: moved.len(),
    })
}

/// The import that a module made by [`telling`] calls.
const TOLD: (&str, &str) = ("told", "ran");

/// The module with every function telling its place when it starts, and the
/// functions' names by place.
pub(crate) fn telling(wasm: &[u8]) -> Result<(Vec<u8>, Vec<Option<String>>)> {
    let mut config = ModuleConfig::new();
    config.generate_name_section(false);
    let mut module = config.parse(wasm)?;
    let names = module.funcs.iter().map(|f| f.name.clone()).collect();
    let functions = functions(&module);
    let ty = module.types.add(&[ValType::I32], &[]);
    let (told, _) = module.add_import_func(TOLD.0, TOLD.1, ty);
    for (place, id) in functions.into_iter().enumerate() {
        if let FunctionKind::Local(local) = &mut module.funcs.get_mut(id).kind {
            let place = i32::try_from(place)?;
            local
                .builder_mut()
                .func_body()
                .call_at(0, told)
                .const_at(0, Value::I32(place));
        }
    }
    Ok((module.emit_wasm(), names))
}

/// The functions of a module, in their order.
fn functions(module: &Module) -> Vec<FunctionId> {
    module.funcs.iter().map(|f| f.id()).collect()
}

/// The places of the functions that belong to the rest.
fn moved(module: &Module, belongs: impl Fn(&str) -> bool) -> Result<BTreeSet<usize>> {
    let own = |(_, f): &(usize, &walrus::Function)| match &f.kind {
        FunctionKind::Local(local) => {
            local.size() > SMALL && f.name.as_deref().is_some_and(&belongs)
        }
        _ => false,
    };
    let places: BTreeSet<usize> = module
        .funcs
        .iter()
        .enumerate()
        .filter(own)
        .map(|(i, _)| i)
        .collect();
    if places.is_empty() {
        bail!("no function of the page's wasm has a name that belongs to the rest");
    }
    Ok(with_their_own(module, places))
}

/// The moved functions, and with them what nothing else refers to, whatever
/// its name and size: no stub stands for it.
fn with_their_own(module: &Module, mut moved: BTreeSet<usize>) -> BTreeSet<usize> {
    let outside = outside(module);
    let functions = functions(module);
    let place: BTreeMap<FunctionId, usize> = functions.iter().copied().zip(0..).collect();
    let mut callers: BTreeMap<usize, BTreeSet<usize>> = BTreeMap::new();
    for (caller, function) in module.funcs.iter().enumerate() {
        if let FunctionKind::Local(local) = &function.kind {
            for called in calls(local) {
                callers.entry(place[&called]).or_default().insert(caller);
            }
        }
    }
    callers.retain(|called, _| {
        let id = functions[*called];
        let local = matches!(module.funcs.get(id).kind, FunctionKind::Local(_));
        local && !outside.contains(&id)
    });
    loop {
        let before = moved.len();
        for (called, callers) in &callers {
            let others = callers.iter().filter(|caller| *caller != called);
            if others.clone().all(|caller| moved.contains(caller)) && others.count() > 0 {
                moved.insert(*called);
            }
        }
        if moved.len() == before {
            return moved;
        }
    }
}

/// Collects the functions that a function refers to.
#[derive(Default)]
struct Calls(BTreeSet<FunctionId>);

impl Visitor<'_> for Calls {
    fn visit_function_id(&mut self, function: &FunctionId) {
        self.0.insert(*function);
    }
}

fn calls(function: &LocalFunction) -> BTreeSet<FunctionId> {
    let mut calls = Calls::default();
    dfs_in_order(&mut calls, function, function.entry_block());
    calls.0
}

/// The places of the moved functions that something of the first part refers
/// to: a call, the table, an export.
fn entries(module: &Module, moved: &BTreeSet<usize>) -> Vec<usize> {
    let mut wanted = BTreeSet::new();
    for (place, function) in module.funcs.iter().enumerate() {
        if let FunctionKind::Local(local) = &function.kind
            && !moved.contains(&place)
        {
            wanted.extend(calls(local));
        }
    }
    wanted.extend(outside(module));
    let functions = functions(module);
    let is_entry = |place: &usize| functions.get(*place).is_some_and(|id| wanted.contains(id));
    moved.iter().copied().filter(is_entry).collect()
}

/// The functions that are referred to from outside of functions: by the
/// table, an export, the start.
fn outside(module: &Module) -> BTreeSet<FunctionId> {
    let mut wanted = BTreeSet::new();
    for element in module.elements.iter() {
        match &element.items {
            ElementItems::Functions(functions) => wanted.extend(functions),
            ElementItems::Expressions(_, all) => {
                wanted.extend(all.iter().filter_map(|e| match e {
                    ConstExpr::RefFunc(function) => Some(*function),
                    _ => None,
                }))
            }
        }
    }
    for export in module.exports.iter() {
        if let ExportItem::Function(function) = export.item {
            wanted.insert(function);
        }
    }
    wanted.extend(module.start);
    wanted
}

fn table(module: &Module) -> Result<TableId> {
    let table = module.tables.main_function_table()?;
    table.context("the page's wasm has no table of functions")
}

/// Puts a stub in the place of every entry; the first of their slots in the
/// table.
fn stub(module: &mut Module, entries: &[usize]) -> Result<i32> {
    let loader = module.imports.iter().find_map(|import| match import.kind {
        ImportKind::Function(function) if import.name.starts_with(&format!("__wbg_{LOADER}_")) => {
            Some(function)
        }
        _ => None,
    });
    let loader = loader.context("the page's wasm does not import what loads the rest")?;
    let loaded = ConstExpr::Value(Value::I32(0));
    let loaded = module.globals.add_local(ValType::I32, true, false, loaded);
    module.exports.add(LOADED, loaded);
    let table = table(module)?;
    let memory = module.memories.iter().next().context("no memory")?.id();
    module.exports.add(MEMORY, memory);
    let slots = module.tables.get(table).initial;
    let more = u64::try_from(entries.len())?;
    let sized = module.tables.get_mut(table);
    sized.initial += more;
    sized.maximum = sized.maximum.map(|most| most.max(slots + more));
    let functions = functions(module);
    let slots = i32::try_from(slots)?;
    for (slot, place) in (slots..).zip(entries) {
        let id = functions[*place];
        let ty = module.funcs.get(id).ty();
        let (params, results) = {
            let ty = module.types.get(ty);
            (ty.params().to_vec(), ty.results().to_vec())
        };
        let arguments: Vec<_> = params.iter().map(|ty| module.locals.add(*ty)).collect();
        let mut builder = FunctionBuilder::new(&mut module.types, &params, &results);
        let mut body = builder.func_body();
        body.global_get(loaded).unop(UnaryOp::I32Eqz).if_else(
            None,
            |then| {
                then.i32_const(1).call(loader);
            },
            |_| {},
        );
        for argument in &arguments {
            body.local_get(*argument);
        }
        body.i32_const(slot).call_indirect(ty, table);
        module.funcs.get_mut(id).kind = FunctionKind::Local(builder.local_func(arguments));
    }
    Ok(slots)
}

/// Leaves the moved functions, imports what else they use, and puts the
/// entries into the table.
fn cut(module: &mut Module, moved: &BTreeSet<usize>, entries: &[usize], slots: i32) -> Result<()> {
    module.start = None;
    let exports: Vec<_> = module.exports.iter().map(|e| e.id()).collect();
    exports.into_iter().for_each(|id| module.exports.delete(id));
    let data: Vec<_> = module.data.iter().map(|d| d.id()).collect();
    data.into_iter().for_each(|id| module.data.delete(id));
    let elements: Vec<_> = module.elements.iter().map(|e| e.id()).collect();
    elements
        .into_iter()
        .for_each(|id| module.elements.delete(id));
    let old: Vec<_> = module.imports.iter().map(|i| i.id()).collect();
    old.into_iter().for_each(|id| module.imports.delete(id));
    let functions = functions(module);
    for (place, id) in functions.iter().enumerate() {
        if !moved.contains(&place) {
            let ty = module.funcs.get(*id).ty();
            let import = module.imports.add(FIRST, &format!("~{place}"), *id);
            module.funcs.get_mut(*id).kind = FunctionKind::Import(ImportedFunction { import, ty });
        }
    }
    let globals: Vec<_> = module.globals.iter().map(|g| g.id()).collect();
    for (place, id) in globals.into_iter().enumerate() {
        let import = module.imports.add(FIRST, &format!("~global{place}"), id);
        module.globals.get_mut(id).kind = GlobalKind::Import(import);
    }
    let memory = module.memories.iter().next().context("no memory")?.id();
    let import = module.imports.add(FIRST, MEMORY, memory);
    let memory = module.memories.get_mut(memory);
    memory.import = Some(import);
    memory.data_segments.clear();
    // One of functions, one of what the page's script hands over.
    let tables: Vec<_> = module.tables.iter().map(|t| t.id()).collect();
    for (place, id) in tables.into_iter().enumerate() {
        let import = module.imports.add(FIRST, &format!("~table{place}"), id);
        let table = module.tables.get_mut(id);
        table.import = Some(import);
        table.elem_segments.clear();
    }
    let table = table(module)?;
    let items = entries.iter().map(|place| functions[*place]).collect();
    let kind = ElementKind::Active {
        table,
        offset: ConstExpr::Value(Value::I32(slots)),
    };
    let element = module.elements.add(kind, ElementItems::Functions(items));
    let table = module.tables.get_mut(table);
    table.elem_segments.insert(element);
    table.initial += u64::try_from(entries.len())?;
    table.maximum = None;
    walrus::passes::gc::run(module);
    Ok(())
}

/// Takes a piece of the data out of the first part: it comes with the rest.
fn take_data(first: &mut Module, rest: &mut Module, bytes: &[u8]) -> Result<()> {
    let find = |data: &walrus::Data| {
        let at = data.value.windows(bytes.len()).position(|at| at == bytes)?;
        match data.kind {
            DataKind::Active {
                memory,
                offset: ConstExpr::Value(Value::I32(offset)),
            } => Some((data.id(), memory, offset, at)),
            _ => None,
        }
    };
    let found = first.data.iter().find_map(find);
    let (id, memory, offset, at) = found.context("the page's wasm does not hold that data")?;
    let mut before = first.data.get(id).value.clone();
    let mut piece = before.split_off(at);
    let after = piece.split_off(bytes.len());
    first.data.get_mut(id).value = before;
    let put = |module: &mut Module, memory: MemoryId, at: usize, bytes: Vec<u8>| -> Result<()> {
        let offset = ConstExpr::Value(Value::I32(offset + i32::try_from(at)?));
        let data = module.data.add(DataKind::Active { memory, offset }, bytes);
        module.memories.get_mut(memory).data_segments.insert(data);
        Ok(())
    };
    put(first, memory, at + bytes.len(), after)?;
    let memory = rest.memories.iter().next().context("no memory")?.id();
    put(rest, memory, at, piece)
}

/// Exports from the first part what the rest imports.
fn share(first: &mut Module, rest: &Module) -> Result<()> {
    let functions = functions(first);
    let globals: Vec<_> = first.globals.iter().map(|g| g.id()).collect();
    let tables: Vec<_> = first.tables.iter().map(|t| t.id()).collect();
    let mut names: BTreeMap<String, ExportItem> = BTreeMap::new();
    for import in rest.imports.iter() {
        let place = |prefix: &str| -> Result<usize> {
            let digits = import
                .name
                .strip_prefix(prefix)
                .context("a name of our own")?;
            Ok(digits.parse()?)
        };
        let item = match import.kind {
            ImportKind::Function(_) => ExportItem::Function(functions[place("~")?]),
            ImportKind::Global(_) => ExportItem::Global(globals[place("~global")?]),
            ImportKind::Table(_) => ExportItem::Table(tables[place("~table")?]),
            _ => continue,
        };
        names.insert(import.name.clone(), item);
    }
    for (name, item) in names {
        first.exports.add(&name, item);
    }
    Ok(())
}
