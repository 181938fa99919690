import sys
f=sys.argv[1]; s=open(f).read()
for l in open(sys.argv[2]).read().split("\n====\n"):
    a,_,b=l.strip("\n").partition("\n->\n")
    assert s.count(a)>=1,a
    s=s.replace(a,b)
open(f,'w').write(s)
