//! `#[derive(Layout)]` for `seawall`: writes down a struct's members, so that they can be compared
//! with those of the WGSL struct that a value is bound to. Structs of this kind are simple enough
//! to be read without a parser of all of Rust.

use proc_macro::{Delimiter, Group, Ident, Spacing, TokenStream, TokenTree};

/// Implements `seawall::Layout` for a struct with named members, `#[repr(C)]` and no type
/// parameters. A member whose name starts with `_` is padding.
#[proc_macro_derive(Layout)]
pub fn layout(input: TokenStream) -> TokenStream {
    match read(input) {
        Ok((name, members)) => write(&name, members),
        Err(message) => tokens(&format!("::core::compile_error!({message:?});")),
    }
}

struct Member {
    name: String,
    ty: TokenStream,
}

fn read(input: TokenStream) -> Result<(Ident, Vec<Member>), &'static str> {
    let mut input = input.into_iter().peekable();
    let mut is_c = false;
    while let Some(token) = input.next() {
        match token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                if let Some(TokenTree::Group(attribute)) = input.next() {
                    is_c |= is_repr_c(attribute.stream());
                }
            }
            TokenTree::Ident(word) if word.to_string() == "struct" => break,
            TokenTree::Ident(word) if ["enum", "union"].contains(&word.to_string().as_str()) => {
                return Err("only structs have a layout that WGSL has too");
            }
            _ => {}
        }
    }
    let Some(TokenTree::Ident(name)) = input.next() else { return Err("this is no struct") };
    match input.next() {
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace && is_c => {
            Ok((name, members(body.stream())?))
        }
        Some(TokenTree::Group(body)) if body.delimiter() == Delimiter::Brace => {
            Err("Rust may put the members in any order: add #[repr(C)]")
        }
        Some(TokenTree::Punct(punct)) if punct.as_char() == '<' => {
            Err("a struct with type parameters has no single layout")
        }
        _ => Err("only structs with named members can be compared with WGSL's"),
    }
}

fn is_repr_c(attribute: TokenStream) -> bool {
    let mut words = attribute.into_iter();
    let repr = matches!(words.next(), Some(TokenTree::Ident(word)) if word.to_string() == "repr");
    let Some(TokenTree::Group(inside)) = words.next() else { return false };
    repr && inside.stream().into_iter().any(|word| word.to_string() == "C")
}

fn members(body: TokenStream) -> Result<Vec<Member>, &'static str> {
    let mut body = body.into_iter().peekable();
    let mut members = Vec::new();
    while body.peek().is_some() {
        let mut name = None;
        // Attributes, visibility and the name, up to the colon.
        for token in body.by_ref() {
            match token {
                TokenTree::Ident(word) => name = Some(word.to_string()),
                TokenTree::Punct(punct) if punct.as_char() == ':' => break,
                _ => {}
            }
        }
        let name = name.ok_or("a member has no name")?;
        let (mut ty, mut open) = (Vec::new(), 0_usize);
        let mut arrow = false;
        for token in body.by_ref() {
            if let TokenTree::Punct(punct) = &token {
                match punct.as_char() {
                    ',' if open == 0 => break,
                    '<' => open += 1,
                    '>' if !arrow => open = open.saturating_sub(1),
                    _ => {}
                }
                arrow = punct.as_char() == '-' && punct.spacing() == Spacing::Joint;
            }
            ty.push(token);
        }
        let name = name.strip_prefix("r#").unwrap_or(&name).to_owned();
        members.push(Member { name, ty: ty.into_iter().collect() });
    }
    Ok(members)
}

fn write(name: &Ident, members: Vec<Member>) -> TokenStream {
    let mut fields = TokenStream::new();
    for Member { name, ty } in members.into_iter().filter(|member| !member.name.starts_with('_')) {
        let mut form = tokens("&<");
        form.extend(ty);
        form.extend(tokens("as ::seawall::Layout>::FORM"));
        let mut field = tokens(&format!("name: {name:?}, offset: ::core::mem::offset_of!(Self, r#{name}), form:"));
        field.extend(form);
        fields.extend(tokens("::seawall::Field"));
        fields.extend([TokenTree::Group(Group::new(Delimiter::Brace, field))]);
        fields.extend(tokens(","));
    }
    let mut body = tokens(&format!("name: {:?}, bytes: ::core::mem::size_of::<Self>(), fields: &", name.to_string()));
    body.extend([TokenTree::Group(Group::new(Delimiter::Bracket, fields))]);
    let mut form = tokens("const FORM: ::seawall::Form = ::seawall::Form::Struct");
    form.extend([TokenTree::Group(Group::new(Delimiter::Brace, body))]);
    form.extend(tokens(";"));
    let mut all = tokens("#[automatically_derived] impl ::seawall::Layout for");
    all.extend([TokenTree::Ident(name.clone())]);
    all.extend([TokenTree::Group(Group::new(Delimiter::Brace, form))]);
    all.extend(tokens("::seawall::register_layout!"));
    let named = TokenStream::from(TokenTree::Ident(name.clone()));
    all.extend([TokenTree::Group(Group::new(Delimiter::Brace, named))]);
    all
}

fn tokens(text: &str) -> TokenStream {
    text.parse().expect("invariant derive-text: what is written here is Rust")
}
