"""apply docstring blocks: python doc.py FILE...  (run in worktree)"""
import ast, sys, re, textwrap
from pathlib import Path
def strip(t):
    for n in ast.walk(t):
        if isinstance(n,(ast.Module,ast.ClassDef,ast.FunctionDef,ast.AsyncFunctionDef)) and n.body and isinstance(n.body[0],ast.Expr) and isinstance(n.body[0].value,ast.Constant) and isinstance(n.body[0].value.value,str):
            n.body[0].value.value="D"
    return ast.dump(t)
def refill(lines,width):
    out=[lines[0]]; i=1
    while i<len(lines):
        l=lines[i]
        if not l.strip(): out.append(l); i+=1; continue
        ind=len(l)-len(l.lstrip()); bullet=l.lstrip().startswith("- "); sub=ind+2 if bullet else ind
        j=i+1
        while j<len(lines) and lines[j].strip() and len(lines[j])-len(lines[j].lstrip())==sub and not lines[j].lstrip().startswith("- ") and not set(lines[j].strip())<={"-"} : j+=1
        para=lines[i:j]
        if any(len(x)>width for x in para) and not (j<len(lines) and lines[j].strip() and set(lines[j].strip())<={"-"}):
            para=textwrap.wrap(" ".join(x.strip() for x in para),width,initial_indent=" "*ind,subsequent_indent=" "*sub,break_long_words=False,break_on_hyphens=False)
        out+=para; i=j
    return out
blocks={}
for f in sys.argv[1:]:
    for part in re.split(r"(?m)^@@ ", Path(f).read_text())[1:]:
        head,_,body=part.partition("\n")
        p,_,q=head.strip().partition("::")
        blocks.setdefault(p,[]).append((q,body.strip("\n")))
for p,edits in blocks.items():
    path=Path("explorer/papers/"+p) if not p.startswith(("tests","explorer")) else Path(p); src=path.read_text(); tree=ast.parse(src); before=strip(ast.parse(src))
    lines=src.split("\n"); todo=[]
    for q,body in edits:
        node=tree
        try:
            for name in filter(None,q.split(".")):
                node=next(n for n in ast.walk(node) if getattr(n,"name",None)==name and isinstance(n,(ast.ClassDef,ast.FunctionDef)) and n is not node)
        except StopIteration:
            print("MISSING",p,q); continue
        d=node.body[0]
        has = isinstance(d,ast.Expr) and isinstance(d.value,ast.Constant) and isinstance(d.value.value,str)
        ind=0 if q=="" else (d.col_offset)
        pre='r"""' if "\\" in body else '"""'
        bl=refill(body.split("\n"),120-ind)
        if len(bl)==1: new=[pre+bl[0]+'"""']
        else: new=[pre+bl[0]]+bl[1:]+['"""']
        new=[(" "*ind+l) if l else l for l in new]
        for l in new:
            if len(l)>120: print("LONG",p,q,len(l),l)
        if has: todo.append((d.lineno-1,d.end_lineno,new))
        else: todo.append((d.lineno-1,d.lineno-1,new)); 
    for a,b,new in sorted(todo,reverse=True): lines[a:b]=new
    out="\n".join(lines)
    after=strip(ast.parse(out))
    if before!=after and all(True for _ in todo): print("AST differs (new docstrings?)",p)
    path.write_text(out)
