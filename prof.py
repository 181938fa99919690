import cProfile,pstats,sys
from explorer.__main__ import main
p=cProfile.Profile(); p.enable()
main(['test',sys.argv[1],sys.argv[2]])
p.disable(); pstats.Stats(p).sort_stats('tottime').print_stats(28)
